// Bodies that have each member which their operation keeps.
/** An asset with all members that are kept. */
export const WHOLE_ASSET = {
  behaviours: ['AssetCreator', 'Builtin', 'Firmware'],
  attributes: { a: 'b' },
  public: true,
  proof_mechanism: 'MERKLE_LOG',
};
/** An event with all members that are kept. */
export const WHOLE_EVENT = {
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { a: 'b' },
  asset_attributes: { c: 'd' },
  timestamp_declared: '2026-11-20T11:14:05.000Z',
  principal_declared: { issuer: 'i', subject: 's', display_name: 'd', email: 'e@e' },
};
/** A location with all members. */
export const WHOLE_LOCATION = {
  display_name: 'Gate',
  description: 'north',
  latitude: '51.5',
  longitude: '-0.1',
  attributes: { a: 'b' },
};
/** A compliance policy with all members, also those that its type doesn't use. */
export const WHOLE_POLICY = {
  compliance_type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
  display_name: 'Gate',
  description: 'north',
  asset_filter: [{ or: ['a=b'] }],
  event_display_type: 'Open',
  closing_event_display_type: 'Close',
  time_period_seconds: '5',
  dynamic_window: '7',
  judged_by: 'declared',
  dynamic_variability: 1.5,
  richness_assertions: [{ or: ['a=b'] }],
};

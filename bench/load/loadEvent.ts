// The events that load generators post.

/** The body of a POST of an event: eight attributes, in ASCII; seven of the event and one of the asset. */
export const toLoadEvent = (client: number, count: number) => ({
  behaviour: 'RecordEvidence' as const,
  operation: 'Record' as const,
  event_attributes: {
    arc_display_type: 'Inspection',
    arc_description: `client ${client} saw that everything was in order, for the ${count}th time`,
    arc_correlation_value: `${client}-${count}`,
    inspector: 'Ida Holm',
    reading: `${count % 1000}.25`,
    severity: 'none',
    site: `depot ${client % 8}`,
  },
  asset_attributes: { last_inspection: String(count) },
});

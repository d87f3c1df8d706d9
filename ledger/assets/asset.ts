// An asset is the fold of its events in ledger order. Nothing else changes it.
import { type Attributes, type AttributeValue, mergeAttributes } from '../records/attributes.ts';
import { type AssetSettings, type EventRecord, isAttach, isCreation } from '../records/event.ts';
import { appendAttachments } from './attachments.ts';
import { INHERENT_BEHAVIOURS } from './behaviours.ts';

/** Whether an asset is in use: StartTracking and StopTracking change it. */
export type Tracked = 'TRACKED' | 'NOT_TRACKED';

/** What an asset's events fold to. */
export interface AssetState extends AssetSettings {
  readonly attributes: Attributes;
  readonly tracked: Tracked;
}

/** State of an asset after its creation. */
export const createAssetState = (settings: AssetSettings, attributes: Attributes): AssetState => ({
  behaviours: withInherent(settings.behaviours),
  proof_mechanism: settings.proof_mechanism,
  public: settings.public,
  attributes,
  tracked: 'TRACKED',
});

const withBehaviour = (behaviours: readonly string[], name: string): readonly string[] =>
  behaviours.includes(name) ? behaviours : [...behaviours, name];

// An event that was written to the contract without this server can't remove the behaviours that every asset has.
const withInherent = (behaviours: readonly string[]): readonly string[] =>
  INHERENT_BEHAVIOURS.reduce(withBehaviour, behaviours);

/** The fields of an event that determine how it changes its asset. */
export type AssetChange = Pick<EventRecord, 'behaviour' | 'operation' | 'event_attributes' | 'asset_attributes'>;

const applyBuiltin = (state: AssetState, event: AssetChange): AssetState => {
  const name = event.event_attributes.arc_behaviour_name;
  switch (event.operation) {
    case 'Add':
      return typeof name === 'string' ? { ...state, behaviours: withBehaviour(state.behaviours, name) } : state;
    case 'Remove':
      return { ...state, behaviours: withInherent(state.behaviours.filter((listed) => listed !== name)) };
    case 'StartTracking':
      return { ...state, tracked: 'TRACKED' };
    case 'StopTracking':
      return { ...state, tracked: 'NOT_TRACKED' };
    default:
      return state;
  }
};

// Appends to the list at the event's place in ledger order, so that two events sent at once both keep their
// attachments.
const applyAttach = (state: AssetState, event: AssetChange): AssetState => {
  const arc_attachments = appendAttachments(state.attributes, event.event_attributes);
  return { ...state, attributes: mergeAttributes(state.attributes, { arc_attachments }) };
};

/**
 * State of the asset after one more event. An event with an unknown operation sets its asset attributes and changes
 * nothing else.
 */
export const applyEvent = (state: AssetState, event: AssetChange): AssetState => {
  const changed = { ...state, attributes: mergeAttributes(state.attributes, event.asset_attributes) };
  if (isAttach(event)) return applyAttach(changed, event);
  return event.behaviour === 'Builtin' ? applyBuiltin(changed, event) : changed;
};

const onlySetsAttributes = (event: AssetChange): boolean => event.behaviour !== 'Builtin' && !isAttach(event);

/** State of the asset after further events, in order. Attributes are copied once for events that only set them. */
export const applyEvents = (state: AssetState, events: readonly AssetChange[]): AssetState => {
  let applied = state;
  // Without a prototype, so that any name can be set.
  let changes: Record<string, AttributeValue> | undefined;
  const merge = (): AssetState =>
    changes === undefined ? applied : { ...applied, attributes: mergeAttributes(applied.attributes, changes) };
  for (const event of events) {
    if (onlySetsAttributes(event)) {
      changes ??= Object.create(null) as Record<string, AttributeValue>;
      Object.assign(changes, event.asset_attributes);
    } else {
      applied = applyEvent(merge(), event);
      changes = undefined;
    }
  }
  return merge();
};

/**
 * One step of the fold of a stream's events to its asset. Events before the creation and further creations are ignored:
 * a writer that doesn't use this server may have put them there.
 */
export const foldEvent = (state: AssetState | undefined, event: EventRecord): AssetState | undefined => {
  if (isCreation(event) === (state !== undefined)) return state;
  if (state !== undefined) return applyEvent(state, event);
  return createAssetState(event.asset_settings as AssetSettings, event.asset_attributes);
};

/**
 * The attributes that an asset has after its creation and further events, in order: those of `foldEvent`, in a time
 * that doesn't grow with the attributes of earlier events.
 */
export const foldAttributes = (events: readonly AssetChange[]): Attributes => {
  // Without a prototype, so that any name can be set.
  const attributes = Object.create(null) as Record<string, AttributeValue>;
  for (const event of events) {
    Object.assign(attributes, event.asset_attributes);
    if (isAttach(event)) attributes.arc_attachments = appendAttachments(attributes, event.event_attributes);
  }
  return { ...attributes };
};

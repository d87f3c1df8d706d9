// Behaviours: the operations that an asset supports, and the attributes that each requires (decisions 22 and 23).
import { refuseField } from '../errors.ts';
import type { Attributes } from '../records/attributes.ts';
import { parseAppendedAttachments } from './attachments.ts';

/** The behaviours of every asset, which can't be removed. */
export const INHERENT_BEHAVIOURS = ['AssetCreator', 'Builtin'] as const;
/** The behaviours of a new asset whose request names none, besides the inherent ones. */
export const DEFAULT_BEHAVIOURS = ['RecordEvidence'] as const;

/** The event that a client requests. */
export interface EventIntent {
  readonly behaviour: string;
  readonly operation: string;
  readonly event_attributes: Attributes;
  readonly asset_attributes: Attributes;
}

interface EventOperation {
  /** Event attributes that the operation requires: strings that are not empty. */
  readonly ofEvent?: readonly string[];
  /** Asset attributes of the same kind. */
  readonly ofAsset?: readonly string[];
  /** Checks the operation's other requirements. */
  readonly assertMore?: (intent: EventIntent) => void;
}

const BEHAVIOUR_NAME = 'event_attributes/arc_behaviour_name';
// Add and Remove require the name, so it is present when their other requirements are checked.
const nameOf = ({ event_attributes }: EventIntent): string => event_attributes.arc_behaviour_name as string;

const assertAddable = (intent: EventIntent): void => assertBehaviour(nameOf(intent), BEHAVIOUR_NAME);

const assertRemovable = (intent: EventIntent): void => {
  const name = nameOf(intent);
  if (!(INHERENT_BEHAVIOURS as readonly string[]).includes(name)) return;
  throw refuseField('BEHAVIOUR_NOT_REMOVABLE', BEHAVIOUR_NAME, `${name} belongs to every asset`);
};

const assertAttach = ({ event_attributes }: EventIntent): void => {
  parseAppendedAttachments(event_attributes);
};

const plain: EventOperation = {};
const described: EventOperation = { ofEvent: ['arc_description'] };

// The operations of events that clients may post.
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, EventOperation>>>> = {
  AssetCreator: {},
  Builtin: {
    Add: { ofEvent: ['arc_behaviour_name'], assertMore: assertAddable },
    Remove: { ofEvent: ['arc_behaviour_name'], assertMore: assertRemovable },
    StartTracking: plain,
    StopTracking: plain,
  },
  RecordEvidence: { Record: plain },
  Attachments: { Attach: { assertMore: assertAttach } },
  Firmware: {
    Update: { ...described, ofAsset: ['arc_firmware_version'] },
    UpdateRequired: described,
    Vulnerability: described,
  },
  Maintenance: { Maintenance: described, MaintenanceRequired: described },
  LocationUpdate: { SetHomeLocation: { ofAsset: ['arc_home_location_identity'] } },
};

const refuseBehaviour = (field: string, name: string): Error =>
  refuseField('BEHAVIOUR_UNKNOWN', field, `no behaviour is named ${JSON.stringify(name)}`);

/**
 * Asserts that a behaviour has this name.
 * @throws LedgerError BEHAVIOUR_UNKNOWN that names the field.
 */
export const assertBehaviour = (name: string, field: string): void => {
  if (!Object.hasOwn(OPERATIONS, name)) throw refuseBehaviour(field, name);
};

/**
 * The behaviours of a new asset: the requested and the inherent ones, each once, sorted.
 * @throws LedgerError BEHAVIOUR_UNKNOWN that names the item.
 */
export const toAssetBehaviours = (requested: readonly string[]): string[] => {
  for (const [index, name] of requested.entries()) assertBehaviour(name, `behaviours/${index}`);
  return [...new Set([...requested, ...INHERENT_BEHAVIOURS])].sort();
};

const findOperation = ({ behaviour, operation }: EventIntent): EventOperation => {
  assertBehaviour(behaviour, 'behaviour');
  const operations = OPERATIONS[behaviour]!;
  if (Object.hasOwn(operations, operation)) return operations[operation]!;
  throw refuseField('OPERATION_UNKNOWN', 'operation', `${behaviour} has no operation ${JSON.stringify(operation)}`);
};

type AttributeMap = 'event_attributes' | 'asset_attributes';
const MISSING = { event_attributes: 'EVENT_ATTRIBUTE_MISSING', asset_attributes: 'ASSET_ATTRIBUTE_MISSING' } as const;

const assertRequired = (intent: EventIntent, map: AttributeMap, names: readonly string[] = []): void => {
  for (const name of names) {
    const value = Object.hasOwn(intent[map], name) ? intent[map][name] : undefined;
    if (typeof value === 'string' && value !== '') continue;
    throw refuseField(MISSING[map], `${map}/${name}`, 'must be a string that is not empty');
  }
};

/**
 * Asserts that an asset with these behaviours accepts this event. The caller checks whether the blobs and the location
 * that it names exist.
 * @throws LedgerError BEHAVIOUR_UNKNOWN, OPERATION_UNKNOWN, BEHAVIOUR_NOT_LISTED, EVENT_ATTRIBUTE_MISSING,
 * ASSET_ATTRIBUTE_MISSING, BEHAVIOUR_NOT_REMOVABLE or ATTACHMENT_INVALID, each naming the field.
 */
export const assertEventAllowed = (behaviours: readonly string[], intent: EventIntent): void => {
  const operation = findOperation(intent);
  if (!behaviours.includes(intent.behaviour)) {
    throw refuseField('BEHAVIOUR_NOT_LISTED', 'behaviour', `the asset does not list ${intent.behaviour}`);
  }
  assertRequired(intent, 'event_attributes', operation.ofEvent);
  assertRequired(intent, 'asset_attributes', operation.ofAsset);
  operation.assertMore?.(intent);
};

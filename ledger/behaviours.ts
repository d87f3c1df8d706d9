// Behaviours: which operations an asset supports, and what each requires (interface.md "Create event", decisions.md 22, 23).
import type { Attributes } from './attributes.ts';
import { refuseField } from './errors.ts';

/** Every asset has these; they can't be removed. */
export const INHERENT_BEHAVIOURS = ['AssetCreator', 'Builtin'] as const;
export const DEFAULT_BEHAVIOURS = ['RecordEvidence'] as const;

interface Operation {
  /** Event attributes without which the operation means nothing: non-empty strings. */
  readonly required: readonly string[];
}

const plain: Operation = { required: [] };
const namesBehaviour: Operation = { required: ['arc_behaviour_name'] };

// The operations that clients may post. A behaviour may be listed by an asset before its operations are offered here.
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  AssetCreator: {},
  Builtin: { Add: namesBehaviour, Remove: namesBehaviour, StartTracking: plain, StopTracking: plain },
  RecordEvidence: { Record: plain },
  Attachments: {},
  Firmware: {},
  Maintenance: {},
  LocationUpdate: {},
};

const refuseBehaviour = (field: string, name: string): Error =>
  refuseField('BEHAVIOUR_UNKNOWN', field, `no behaviour is named ${JSON.stringify(name)}`);

const assertBehaviour = (name: string, field: string): void => {
  if (!Object.hasOwn(OPERATIONS, name)) throw refuseBehaviour(field, name);
};

/** The behaviours of a new asset: those asked for, and those that every asset has; each once, sorted. */
export const toAssetBehaviours = (asked: readonly string[]): string[] => {
  for (const [index, name] of asked.entries()) assertBehaviour(name, `behaviours/${index}`);
  return [...new Set([...asked, ...INHERENT_BEHAVIOURS])].sort();
};

/** What a client asks for when it posts an event. */
export interface EventIntent {
  readonly behaviour: string;
  readonly operation: string;
  readonly event_attributes: Attributes;
}

const findOperation = ({ behaviour, operation }: EventIntent): Operation => {
  assertBehaviour(behaviour, 'behaviour');
  const operations = OPERATIONS[behaviour]!;
  if (Object.hasOwn(operations, operation)) return operations[operation]!;
  throw refuseField('OPERATION_UNKNOWN', 'operation', `${behaviour} has no operation ${JSON.stringify(operation)}`);
};

const assertRequired = (attributes: Attributes, names: readonly string[]): void => {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (typeof value === 'string' && value !== '') continue;
    throw refuseField('EVENT_ATTRIBUTE_MISSING', `event_attributes/${name}`, 'must be a string that is not empty');
  }
};

const assertNamedBehaviour = ({ behaviour, operation, event_attributes }: EventIntent): void => {
  const name = event_attributes.arc_behaviour_name;
  if (behaviour !== 'Builtin' || typeof name !== 'string') return;
  const field = 'event_attributes/arc_behaviour_name';
  if (operation === 'Add') assertBehaviour(name, field);
  if (operation === 'Remove' && (INHERENT_BEHAVIOURS as readonly string[]).includes(name)) {
    throw refuseField('BEHAVIOUR_NOT_REMOVABLE', field, `${name} belongs to every asset`);
  }
};

/**
 * Asserts that an asset that lists these behaviours can take this event.
 * @throws LedgerError BEHAVIOUR_UNKNOWN, OPERATION_UNKNOWN, BEHAVIOUR_NOT_LISTED, EVENT_ATTRIBUTE_MISSING or
 * BEHAVIOUR_NOT_REMOVABLE, each naming the field.
 */
export const assertEventAllowed = (behaviours: readonly string[], intent: EventIntent): void => {
  const operation = findOperation(intent);
  if (!behaviours.includes(intent.behaviour)) {
    throw refuseField('BEHAVIOUR_NOT_LISTED', 'behaviour', `the asset does not list ${intent.behaviour}`);
  }
  assertRequired(intent.event_attributes, operation.required);
  assertNamedBehaviour(intent);
};

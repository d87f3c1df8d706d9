// The record of one event: the fields of the event that are hashed and committed. The creation of an asset is its first
// event and has the asset's settings; every other event has `asset_settings: {}`. An Attach has the attachments that it
// appends in its event attributes. The resulting list depends on the events before it, so its asset attributes never
// have `arc_attachments`.
import { isTimestamp } from '../encoding/timestamp.ts';
import { parseEventIdentity } from '../identity.ts';
import { isPrincipal, type Principal, toPrincipal } from '../principal.ts';
import type { AppendedAgain } from './appendedAgain.ts';
import { type Attributes, type AttributeValue, isAttributes, isJsonObject } from './attributes.ts';
import type { Commitment } from './commitment.ts';
import { type Checks, hasFields, isString } from './fieldChecks.ts';

export type ProofMechanism = 'KHIPU' | 'SIMPLE_HASH' | 'MERKLE_LOG';

/**
 * The settings that an asset is created with. They never change, except the behaviours, which Add and Remove change.
 */
export interface AssetSettings {
  readonly behaviours: readonly string[];
  readonly proof_mechanism: ProofMechanism;
  readonly public: boolean;
}

/** One event of an asset. */
export interface EventRecord extends AppendedAgain {
  readonly type: 'event';
  /** `assets/<uuid>/events/<uuid>`. */
  readonly identity: string;
  readonly behaviour: string;
  readonly operation: string;
  readonly event_attributes: Attributes;
  readonly asset_attributes: Attributes;
  /** Empty, except in a creation. */
  readonly asset_settings: AssetSettings | Readonly<Record<string, never>>;
  readonly timestamp_accepted: string;
  readonly timestamp_declared: string;
  readonly principal_accepted: Principal;
  readonly principal_declared: Principal;
}

/**
 * The fields of an event resource that the digest of its record commits to, besides `appended_again` where it has that.
 * The record's `type` is committed too, and not shown.
 */
export const COMMITTED_FIELDS = [
  'identity',
  'behaviour',
  'operation',
  'event_attributes',
  'asset_attributes',
  'asset_settings',
  'timestamp_accepted',
  'timestamp_declared',
  'principal_accepted',
  'principal_declared',
] as const satisfies readonly (keyof EventRecord)[];

/** How the canonical JSON of every event record ends: no other name sorts after `type`. */
export const COMMITTED_TAIL = ',"type":"event"}';

const isEmptyObject = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;
const PROOF_MECHANISMS: readonly unknown[] = ['KHIPU', 'SIMPLE_HASH', 'MERKLE_LOG'];

const isAssetSettings = (value: unknown): value is AssetSettings =>
  isJsonObject(value) &&
  Object.keys(value).length === 3 &&
  Array.isArray(value.behaviours) &&
  value.behaviours.every(isString) &&
  PROOF_MECHANISMS.includes(value.proof_mechanism) &&
  typeof value.public === 'boolean';

/** Whether the event creates its asset. */
export const isCreation = (event: Pick<EventRecord, 'behaviour' | 'operation'>): boolean =>
  event.behaviour === 'AssetCreator' && event.operation === 'NewAsset';

/** Whether the event appends attachments to its asset. */
export const isAttach = (event: Pick<EventRecord, 'behaviour' | 'operation'>): boolean =>
  event.behaviour === 'Attachments' && event.operation === 'Attach';

const CHECKS: Checks<Omit<EventRecord, 'appended_again'>> = {
  type: (value) => value === 'event',
  identity: (value) => typeof value === 'string' && parseEventIdentity(value) !== undefined,
  behaviour: isString,
  operation: isString,
  event_attributes: isAttributes,
  asset_attributes: isAttributes,
  asset_settings: (value) => isEmptyObject(value) || isAssetSettings(value),
  timestamp_accepted: isTimestamp,
  timestamp_declared: isTimestamp,
  principal_accepted: isPrincipal,
  principal_declared: isPrincipal,
};

/** Whether an untrusted value is an event record in payload 0x01, with all of its fields and no others. */
export const isEventRecord = (value: unknown): value is EventRecord =>
  hasFields(value, CHECKS) &&
  isCreation(value) === isAssetSettings(value.asset_settings) &&
  !(isAttach(value) && Object.hasOwn(value.asset_attributes, 'arc_attachments'));

/** An event as the API shows it. */
export interface EventResource extends Omit<EventRecord, 'type'>, Commitment {
  readonly asset_identity: string;
  /** The tenant that recorded the event. */
  readonly tenant_identity: string;
  /** Only of an event that another tenant recorded on the owner's asset: what its record has besides. */
  readonly contribution?: EventContribution;
}

/** What is committed of a contribution and not shown elsewhere in its event. */
export interface EventContribution {
  /** Identity of the tenant that owns the asset. */
  readonly owner: string;
  /** When the writer's server accepted it. The event's own time of acceptance is its block's. */
  readonly timestamp_accepted: string;
}

const toShownAssetAttributes = (record: EventRecord, attachmentsAfter: AttributeValue | undefined): Attributes =>
  attachmentsAfter === undefined || !isAttach(record)
    ? record.asset_attributes
    : { ...record.asset_attributes, arc_attachments: attachmentsAfter };

/**
 * The resource of an event record.
 * @param attachmentsAfter the asset's `arc_attachments` after an Attach, which it shows besides the committed
 * attributes (decision 25); undefined where the asset was not created before the event.
 */
export const toEventResource = (
  record: EventRecord,
  tenantIdentity: string,
  commitment: Commitment,
  attachmentsAfter?: AttributeValue,
): EventResource => {
  return {
    identity: record.identity,
    asset_identity: record.identity.slice(0, record.identity.indexOf('/events/')),
    behaviour: record.behaviour,
    operation: record.operation,
    event_attributes: record.event_attributes,
    asset_attributes: toShownAssetAttributes(record, attachmentsAfter),
    asset_settings: record.asset_settings,
    timestamp_accepted: record.timestamp_accepted,
    timestamp_declared: record.timestamp_declared,
    timestamp_committed: commitment.timestamp_committed,
    principal_declared: record.principal_declared,
    principal_accepted: record.principal_accepted,
    confirmation_status: commitment.confirmation_status,
    block_number: commitment.block_number,
    transaction_index: commitment.transaction_index,
    log_index: commitment.log_index,
    transaction_id: commitment.transaction_id,
    from: commitment.from,
    tenant_identity: tenantIdentity,
    ...(commitment.failure_reason !== undefined && { failure_reason: commitment.failure_reason }),
    ...(record.appended_again !== undefined && { appended_again: record.appended_again }),
  };
};

const NOBODY: Principal = toPrincipal({});

/** The event as others than its tenant see it: its principals are empty. */
export const withoutPrincipals = (event: EventResource): EventResource => ({
  ...event,
  principal_declared: NOBODY,
  principal_accepted: NOBODY,
});

const toCommittedAssetAttributes = (event: Omit<EventRecord, 'type'>): Attributes => {
  if (!isAttach(event)) return event.asset_attributes;
  const { arc_attachments: _, ...committed } = event.asset_attributes;
  return committed;
};

/**
 * The record of an event resource: the inverse of `toEventResource`, whatever attachments the resource shows. Of a
 * contribution it is the event as its writer wrote it.
 */
export const toCommittedRecord = (
  event: Omit<EventRecord, 'type'> & { readonly contribution?: EventContribution },
): EventRecord => {
  const fields = COMMITTED_FIELDS.map((field) => [field, event[field]] as const);
  const record = { type: 'event', ...Object.fromEntries(fields) } as EventRecord;
  const { timestamp_accepted } = event.contribution ?? event;
  const added = Object.hasOwn(event, 'appended_again') ? { appended_again: event.appended_again! } : {};
  return { ...record, timestamp_accepted, asset_attributes: toCommittedAssetAttributes(event), ...added };
};

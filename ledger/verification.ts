// What a third party checks an event against the contract with: the record that the event's JSON says was committed, and
// what of the JSON that record doesn't cover.
import { type AssetState, foldEvent } from './assets/asset.ts';
import type { RecordContent } from './encoding/digest.ts';
import { fromHex } from './encoding/hex.ts';
import { toKey, toStreamIdentityOf } from './identity.ts';
import { type AttributeValue, isJsonObject } from './records/attributes.ts';
import { COMMITTED_FIELDS, type EventRecord, isAttach, isEventRecord, toCommittedRecord } from './records/event.ts';
import { encodePayload, type LedgerRecord } from './records/record.ts';

/** Fields that say where the chain has the record. They follow from the chain, not from the digest. */
export const COMMITMENT_FIELDS = [
  'block_number',
  'transaction_index',
  'log_index',
  'transaction_id',
  'timestamp_committed',
] as const;

/** Fields that name the author, the tenant and the asset: bound by the digest through the contract's keys. */
const BOUND_FIELDS = ['asset_identity', 'tenant_identity', 'from'] as const;
const STATUS_FIELD = 'confirmation_status';

const KNOWN_FIELDS: readonly string[] = [...COMMITTED_FIELDS, ...COMMITMENT_FIELDS, ...BOUND_FIELDS, STATUS_FIELD];
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An event's JSON, taken apart for checking. */
export interface EventClaim {
  readonly record: EventRecord;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  /** The author's address as the JSON writes it. */
  readonly from: string;
  readonly content: RecordContent;
  /** `asset_attributes.arc_attachments` of an Attach: shown, and not under the digest. Undefined when it isn't there. */
  readonly shownAttachments: unknown;
  /** Members of the JSON that nothing on the chain speaks of. */
  readonly unknownFields: readonly string[];
}

// Half of a surrogate pair is JSON, but nothing that a payload can say.
const findPayload = (record: EventRecord): Uint8Array | undefined => {
  try {
    return encodePayload(record);
  } catch {
    return undefined;
  }
};

const findCommitted = (event: Readonly<Record<string, unknown>>): EventRecord | undefined => {
  if (!isJsonObject(event.asset_attributes)) return undefined;
  const record: unknown = toCommittedRecord(event as unknown as EventRecord);
  return isEventRecord(record) ? record : undefined;
};

const findAttachments = (attributes: unknown): unknown =>
  isJsonObject(attributes) && Object.hasOwn(attributes, 'arc_attachments') ? attributes.arc_attachments : undefined;

/** Names of the fields that an event must have to be checked, and the JSON doesn't have. */
export const findMissingFields = (event: Readonly<Record<string, unknown>>): string[] =>
  KNOWN_FIELDS.filter((field) => !Object.hasOwn(event, field));

/**
 * The claim that an event's JSON makes, or a sentence that says why it can't be one. The caller still has to compare it
 * with the contract, and the address in `from` with its checksum.
 */
export const parseEventClaim = (event: unknown): EventClaim | string => {
  if (!isJsonObject(event)) return 'it is not a JSON object';
  const missing = findMissingFields(event);
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  const record = findCommitted(event);
  if (record === undefined) return `one of ${COMMITTED_FIELDS.join(', ')} is not of the form that the ledger commits`;
  const payload = findPayload(record);
  if (payload === undefined) return 'it holds half of a surrogate pair';
  const { tenant_identity: tenantIdentity, from } = event;
  const streamIdentity = toStreamIdentityOf(record);
  if (event.asset_identity !== streamIdentity) return 'asset_identity is not the asset that identity names';
  if (typeof tenantIdentity !== 'string') return 'tenant_identity is not a string';
  if (typeof from !== 'string' || !ADDRESS.test(from)) return 'from is not an address';
  if (event[STATUS_FIELD] !== 'CONFIRMED') return `confirmation_status is ${JSON.stringify(event[STATUS_FIELD])}`;
  return {
    record,
    tenantIdentity,
    streamIdentity,
    from,
    content: {
      tenantKey: toKey(tenantIdentity),
      streamKey: toKey(streamIdentity),
      recordKey: toKey(record.identity),
      author: fromHex(from.toLowerCase()),
      payload,
    },
    shownAttachments: isAttach(record) ? findAttachments(event.asset_attributes) : undefined,
    unknownFields: Object.keys(event).filter((field) => !KNOWN_FIELDS.includes(field)),
  };
};

/**
 * What an Attach has to show as `asset_attributes.arc_attachments`: the list that the asset's history up to and with it
 * folds to; undefined when the asset had not been created.
 */
export const foldAttachments = (history: readonly LedgerRecord[]): AttributeValue | undefined =>
  history.filter((record) => record.type === 'event').reduce<AssetState | undefined>(foldEvent, undefined)?.attributes
    .arc_attachments;

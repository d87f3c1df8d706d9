// Third-party verification of an event against the contract: the record that the event's JSON claims to be committed,
// and the fields of the JSON that the record doesn't cover.
import { type AssetState, foldEvent } from './assets/asset.ts';
import type { RecordContent } from './encoding/digest.ts';
import { fromHex } from './encoding/hex.ts';
import { toTimestamp } from './encoding/timestamp.ts';
import { parseEventIdentity, toKey, toStreamIdentityOf } from './identity.ts';
import { isNobody } from './principal.ts';
import { type AppendedAgain, areEarlierPlaces, withoutPlaces } from './records/appendedAgain.ts';
import { type AttributeValue, isJsonObject } from './records/attributes.ts';
import { type ContributionRecord, isContributionRecord, toContribution } from './records/contribution.ts';
import { COMMITTED_FIELDS, type EventRecord, isAttach, isEventRecord, toCommittedRecord } from './records/event.ts';
import { encodePayload, type LedgerRecord } from './records/record.ts';

/** Fields that locate the record on the chain. The digest doesn't commit to them; they are read from the chain. */
export const COMMITMENT_FIELDS = [
  'block_number',
  'transaction_index',
  'log_index',
  'transaction_id',
  'timestamp_committed',
] as const;

/** Fields that name the author, the tenant and the asset. The digest commits to them through the contract's keys. */
const BOUND_FIELDS = ['asset_identity', 'tenant_identity', 'from'] as const;
const STATUS_FIELD = 'confirmation_status';

const KNOWN_FIELDS: readonly string[] = [...COMMITTED_FIELDS, ...COMMITMENT_FIELDS, ...BOUND_FIELDS, STATUS_FIELD];
/** Committed, only where the record has it. */
const AGAIN = 'appended_again';
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** An event's JSON, parsed for verification. */
export interface EventClaim {
  readonly record: EventRecord | ContributionRecord;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  /** The author's address as it is in the JSON. */
  readonly from: string;
  readonly content: RecordContent;
  /**
   * `asset_attributes.arc_attachments` of an Attach: shown, but not covered by the digest. Undefined when it is absent.
   */
  readonly shownAttachments: unknown;
  /** Names of members of the JSON that the chain doesn't cover. */
  readonly unknownFields: readonly string[];
}

// A lone surrogate is valid JSON, but a payload can't contain one.
const findPayload = (record: LedgerRecord): Uint8Array | undefined => {
  try {
    return encodePayload(record);
  } catch {
    return undefined;
  }
};

type EventJson = Readonly<Record<string, unknown>>;

// Whether a record passes the check of its type, as it is or as one that was appended again.
const isAgain = (record: AppendedAgain, isRecord: (value: unknown) => boolean): boolean =>
  isRecord(withoutPlaces(record)) && (!Object.hasOwn(record, AGAIN) || areEarlierPlaces(record[AGAIN]));

const findWritten = (event: EventJson): EventRecord | undefined => {
  if (!isJsonObject(event.asset_attributes)) return undefined;
  const record = toCommittedRecord(event as unknown as EventRecord);
  return isAgain(record, isEventRecord) ? record : undefined;
};

const findContribution = (event: EventJson): ContributionRecord | undefined => {
  const { contribution } = event;
  if (!isJsonObject(contribution) || Object.keys(contribution).length !== 2) return undefined;
  const written = findWritten(event);
  if (written === undefined || typeof contribution.owner !== 'string') return undefined;
  const record = toContribution(written, contribution.owner);
  return isAgain(record, isContributionRecord) ? record : undefined;
};

const findAttachments = (attributes: unknown): unknown =>
  isJsonObject(attributes) && Object.hasOwn(attributes, 'arc_attachments') ? attributes.arc_attachments : undefined;

/** Names of the fields that verification requires and the JSON doesn't have. */
export const findMissingFields = (event: Readonly<Record<string, unknown>>): string[] =>
  KNOWN_FIELDS.filter((field) => !Object.hasOwn(event, field));

const isIdentityOfEvent = (identity: unknown): boolean =>
  typeof identity === 'string' && parseEventIdentity(identity) !== undefined;

/**
 * Why an event's JSON can't be checked: it is no event, lacks fields, or names no commitment. Undefined when it can be:
 * then it is what the ledger has, or is refuted.
 */
export const findUncheckable = (event: unknown): string | undefined => {
  if (!isJsonObject(event)) return 'it is not a JSON object';
  const missing = findMissingFields(event);
  if (missing.length > 0) return `it is not an event as the API returns it: it lacks ${missing.join(', ')}`;
  if (!isIdentityOfEvent(event.identity)) return 'its identity is not that of an event';
  const status = event[STATUS_FIELD];
  return status === 'CONFIRMED' ? undefined : `it is not committed: ${STATUS_FIELD} is ${JSON.stringify(status)}`;
};

/**
 * Whether the event doesn't say who recorded it, as its JSON for readers without a token and of other tenants. Where
 * such JSON differs from the ledger, the reason may be that it lacks what the ledger commits to.
 */
export const hasNoPrincipal = (event: unknown): boolean => isJsonObject(event) && isNobody(event.principal_accepted);

const toAssetOf = ({ identity }: EventJson): string => {
  const text = String(identity);
  return text.slice(0, Math.max(0, text.indexOf('/events/')));
};

interface FoundRecord {
  readonly record: EventClaim['record'] | undefined;
  readonly knownFields: readonly string[];
}

const toClaim = (event: EventJson, { record, knownFields }: FoundRecord): EventClaim | string => {
  if (record === undefined) return `one of ${COMMITTED_FIELDS.join(', ')} is not of the form that the ledger commits`;
  const payload = findPayload(record);
  if (payload === undefined) return 'it holds half of a surrogate pair';
  const { tenant_identity: tenantIdentity, from } = event;
  const streamIdentity = toStreamIdentityOf(record);
  if (event.asset_identity !== toAssetOf(event)) return 'asset_identity is not the asset that identity names';
  if (typeof tenantIdentity !== 'string') return 'tenant_identity is not a string';
  if (typeof from !== 'string' || !ADDRESS.test(from)) return 'from is not an address';
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
    unknownFields: Object.keys(event).filter((field) => field !== AGAIN && !knownFields.includes(field)),
  };
};

const toOwnClaim = (event: EventJson): EventClaim | string =>
  toClaim(event, { record: findWritten(event), knownFields: KNOWN_FIELDS });

const toContributionClaim = (event: EventJson): EventClaim | string => {
  const committedMs = Date.parse(String(event.timestamp_committed));
  const isBlockTime = !Number.isNaN(committedMs) && event.timestamp_accepted === toTimestamp(committedMs);
  if (!isBlockTime) return 'timestamp_accepted is not the time of its block';
  return toClaim(event, { record: findContribution(event), knownFields: [...KNOWN_FIELDS, 'contribution'] });
};

const toClaimOf = (event: EventJson): EventClaim | string =>
  Object.hasOwn(event, 'contribution') ? toContributionClaim(event) : toOwnClaim(event);

/**
 * The claim of an event's JSON; a sentence with the reason where the JSON isn't a claim. An event with the member
 * `contribution` is one that its tenant contributed to an asset of another one. The caller still has to compare the
 * claim with the contract, and the address in `from` with its checksum.
 */
export const parseEventClaim = (event: unknown): EventClaim | string => {
  const uncheckable = findUncheckable(event);
  if (uncheckable !== undefined) return uncheckable;
  return toClaimOf(event as EventJson);
};

/**
 * The `asset_attributes.arc_attachments` that an Attach has to show; undefined when the asset was not created before.
 * @param history the records of the asset's stream, up to and including the Attach.
 */
export const foldAttachments = (history: readonly LedgerRecord[]): AttributeValue | undefined =>
  history.filter((record) => record.type === 'event').reduce<AssetState | undefined>(foldEvent, undefined)?.attributes
    .arc_attachments;

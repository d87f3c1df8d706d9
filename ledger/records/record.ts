// A record: the unit that a tenant writes. Its payload is a format version byte and the canonical JSON of the record,
// so that the same record always has the same bytes, and the bytes name their format.
import { decodeCanonicalJson, encodeCanonicalJson, type JsonValue } from '../encoding/canonicalJson.ts';
import { type Hex, toHex } from '../encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../identity.ts';
import { ACCESS_POLICY_ADDITIONS, type AccessPolicyRecord, isAccessPolicyRecord } from './accessPolicy.ts';
import { type AppendedAgain, COMMON_ADDITIONS } from './appendedAgain.ts';
import { APPLICATION_ADDITIONS, type ApplicationRecord, isApplicationRecord } from './application.ts';
import { isJsonObject } from './attributes.ts';
import { type BlobRecord, isBlobRecord } from './blob.ts';
import { type ContributionRecord, isContributionRecord } from './contribution.ts';
import { type EventRecord, isEventRecord } from './event.ts';
import type { Checks } from './fieldChecks.ts';
import { isLocationRecord, type LocationRecord } from './location.ts';
import { isLogSuccessionRecord, type LogSuccessionRecord } from './logSuccession.ts';
import { isPolicyRecord, POLICY_ADDITIONS, type PolicyRecord } from './policy.ts';
import { isSubjectRecord, type SubjectRecord } from './subject.ts';
import { isSuccessionRecord, type SuccessionRecord } from './succession.ts';
import { isTenantRecord, type TenantRecord } from './tenant.ts';

type AnyRecord =
  | EventRecord
  | ContributionRecord
  | LocationRecord
  | BlobRecord
  | PolicyRecord
  | TenantRecord
  | ApplicationRecord
  | SubjectRecord
  | AccessPolicyRecord
  | SuccessionRecord
  | LogSuccessionRecord;

/** A record of any type. */
export type LedgerRecord = AnyRecord & AppendedAgain;

/** First byte of a payload that is unencrypted canonical JSON. 0x02 is reserved for sealed records. */
const PLAIN = 0x01;
/** First byte of a payload with members that 0x01 doesn't have: a server that doesn't know them finds that out. */
const EXTENDED = 0x03;
/** Most bytes of a payload: the contract's `MAX_PAYLOAD_BYTES`. */
export const PAYLOAD_BYTES_MAX = 65_536;

const IS_RECORD: Record<LedgerRecord['type'], (value: unknown) => value is LedgerRecord> = {
  event: isEventRecord,
  contribution: isContributionRecord,
  location: isLocationRecord,
  blob: isBlobRecord,
  policy: isPolicyRecord,
  tenant: isTenantRecord,
  application: isApplicationRecord,
  subject: isSubjectRecord,
  access_policy: isAccessPolicyRecord,
  succession: isSuccessionRecord,
  log_succession: isLogSuccessionRecord,
};

const isRecord = (value: unknown): value is LedgerRecord =>
  isJsonObject(value) &&
  typeof value.type === 'string' &&
  Object.hasOwn(IS_RECORD, value.type) &&
  IS_RECORD[value.type as LedgerRecord['type']](value);

/** The members that a type of record has besides `COMMON_ADDITIONS` in `EXTENDED` payloads only. */
const ADDITIONS: Readonly<Partial<Record<string, Checks<object>>>> = {
  application: APPLICATION_ADDITIONS,
  policy: POLICY_ADDITIONS,
  access_policy: ACCESS_POLICY_ADDITIONS,
};

const findAdded = (record: { readonly type?: unknown }): [name: string, check: (value: unknown) => boolean][] => {
  const { type } = record;
  const ofType = typeof type === 'string' && Object.hasOwn(ADDITIONS, type) ? ADDITIONS[type]! : {};
  const additions = { ...COMMON_ADDITIONS, ...ofType };
  return Object.entries<(value: unknown) => boolean>(additions).filter(([name]) => Object.hasOwn(record, name));
};

// A record without such members has one payload, in 0x01.
const isExtendedRecord = (value: unknown): value is LedgerRecord => {
  if (!isJsonObject(value)) return false;
  const added = findAdded(value);
  const names = new Set(added.map(([name]) => name));
  const plain = Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
  return added.length > 0 && added.every(([name, check]) => check(value[name])) && isRecord(plain);
};

/** By the first byte of a payload, whether its JSON is a record. */
const IS_RECORD_OF: ReadonlyMap<number | undefined, (value: unknown) => value is LedgerRecord> = new Map([
  [PLAIN, isRecord],
  [EXTENDED, isExtendedRecord],
]);

/** Whether a payload begins like one that has the JSON of a record. */
export const isReadablePayload = ([version]: Uint8Array): boolean => IS_RECORD_OF.has(version);

/**
 * Payload bytes of a record.
 * @throws Error where a string has a lone surrogate.
 */
export const encodePayload = (record: LedgerRecord): Uint8Array => {
  const json = encodeCanonicalJson(record as unknown as JsonValue);
  const payload = new Uint8Array(json.length + 1);
  payload[0] = findAdded(record).length === 0 ? PLAIN : EXTENDED;
  payload.set(json, 1);
  return payload;
};

/**
 * The record of a payload; undefined for another format version, and for bytes that are not the canonical JSON of a
 * record. That is not an error: any writer can put any bytes on the chain.
 */
export const decodePayload = (payload: Uint8Array): LedgerRecord | undefined => {
  const isRecordOf = IS_RECORD_OF.get(payload[0]);
  if (isRecordOf === undefined) return undefined;
  const value: unknown = decodeCanonicalJson(payload.subarray(1));
  return isRecordOf(value) ? value : undefined;
};

/**
 * Whether a payload has a format version, or members, that this code does not know. Bytes without a version have none.
 */
export const isOfNewerCode = (payload: Uint8Array): boolean =>
  payload.length > 0 && payload[0] !== PLAIN && decodePayload(payload) === undefined;

/**
 * The record of a payload; undefined also where the stream key or the record key is not that of the record. The
 * contract doesn't parse payloads, so a writer can put any record under any key.
 */
export const decodeKeyedPayload = (
  payload: Uint8Array,
  keys: { readonly streamKey: Hex; readonly recordKey: Hex },
): LedgerRecord | undefined => {
  const record = decodePayload(payload);
  if (record === undefined || toHex(toKey(record.identity)) !== keys.recordKey) return undefined;
  return toHex(toKey(toStreamIdentityOf(record))) === keys.streamKey ? record : undefined;
};

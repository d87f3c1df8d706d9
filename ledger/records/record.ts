// A record: everything that a tenant writes. Its payload is a format version byte and the canonical JSON of the record,
// so that the same record always has the same bytes and the bytes say what they are.

import { decodeCanonicalJson, encodeCanonicalJson, type JsonValue } from '../encoding/canonicalJson.ts';
import { type Hex, toHex } from '../encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../identity.ts';
import { type ApplicationRecord, isApplicationRecord } from './application.ts';
import { isJsonObject } from './attributes.ts';
import { type BlobRecord, isBlobRecord } from './blob.ts';
import { type EventRecord, isEventRecord } from './event.ts';
import { isLocationRecord, type LocationRecord } from './location.ts';
import { isPolicyRecord, type PolicyRecord } from './policy.ts';
import { isTenantRecord, type TenantRecord } from './tenant.ts';

export type LedgerRecord = EventRecord | LocationRecord | BlobRecord | PolicyRecord | TenantRecord | ApplicationRecord;

/** First byte of a payload that is canonical JSON in the clear. */
export const PAYLOAD_VERSION = 0x01;
/** The contract's `MAX_PAYLOAD_BYTES`. */
export const PAYLOAD_BYTES_MAX = 65_536;

const IS_RECORD: Record<LedgerRecord['type'], (value: unknown) => value is LedgerRecord> = {
  event: isEventRecord,
  location: isLocationRecord,
  blob: isBlobRecord,
  policy: isPolicyRecord,
  tenant: isTenantRecord,
  application: isApplicationRecord,
};

const isRecord = (value: unknown): value is LedgerRecord =>
  isJsonObject(value) &&
  typeof value.type === 'string' &&
  Object.hasOwn(IS_RECORD, value.type) &&
  IS_RECORD[value.type as LedgerRecord['type']](value);

/** Payload bytes of a record. */
export const encodePayload = (record: LedgerRecord): Uint8Array => {
  const json = encodeCanonicalJson(record as unknown as JsonValue);
  const payload = new Uint8Array(json.length + 1);
  payload[0] = PAYLOAD_VERSION;
  payload.set(json, 1);
  return payload;
};

/**
 * The record that payload bytes say, or undefined when they say none: another format version, not JSON, not a record,
 * or not the canonical form. Anybody with a writer's key can put bytes on the chain, so this is an answer, not an error.
 */
export const decodePayload = (payload: Uint8Array): LedgerRecord | undefined => {
  if (payload[0] !== PAYLOAD_VERSION) return undefined;
  const value: unknown = decodeCanonicalJson(payload.subarray(1));
  return isRecord(value) ? value : undefined;
};

/**
 * The record that a payload says when it is the one that its stream and record keys name; else undefined. The contract
 * doesn't look into payloads, so a writer can put any record under any key.
 */
export const decodeKeyedPayload = (
  payload: Uint8Array,
  keys: { readonly streamKey: Hex; readonly recordKey: Hex },
): LedgerRecord | undefined => {
  const record = decodePayload(payload);
  if (record === undefined || toHex(toKey(record.identity)) !== keys.recordKey) return undefined;
  return toHex(toKey(toStreamIdentityOf(record))) === keys.streamKey ? record : undefined;
};

// The file of a record that the chain no longer has: its tenant, its place and the bytes that were signed, with a
// checksum.
import { createHash } from 'node:crypto';
import type { Place } from '../../indexer/rows/recordRow.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { withoutPlaces } from '../../ledger/records/appendedAgain.ts';
import { decodePayload, encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';

/** A record that was final, and that the chain no longer has. */
export interface GoneRecord {
  readonly tenantIdentity: string;
  readonly record: LedgerRecord;
  /** The bytes that its author signed. */
  readonly payload: Uint8Array;
  /** Where the chain had it last, and its author. */
  readonly place: Place;
}

interface StoredRecord {
  readonly tenant_identity: string;
  readonly place: Place;
  /** Base64. */
  readonly payload: string;
}

const toBytes = (record: LedgerRecord): Uint8Array => encodePayload(withoutPlaces(record) as LedgerRecord);

/** Whether two records differ at most in the places where they stood. */
export const isSameContent = (one: LedgerRecord, other: LedgerRecord): boolean =>
  Buffer.compare(toBytes(one), toBytes(other)) === 0;

const EXTENSION = '.json';

/** Name of the file of a tenant's record. */
export const toFileName = (tenantIdentity: string, identity: string): string =>
  `${toHex(toKey(tenantIdentity)).slice(2)}-${toHex(toKey(identity)).slice(2)}${EXTENSION}`;

/** Whether a file is that of a record, and complete. */
export const isFileName = (name: string): boolean => name.endsWith(EXTENSION);

const toChecksum = (stored: StoredRecord): string => createHash('sha256').update(JSON.stringify(stored)).digest('hex');

/** The text of a record's file. */
export const encodeGone = ({ tenantIdentity, payload, place }: GoneRecord): string => {
  const stored = { tenant_identity: tenantIdentity, place, payload: Buffer.from(payload).toString('base64') };
  return `${JSON.stringify({ ...stored, checksum: toChecksum(stored) })}\n`;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The record of a file; undefined when its text isn't what was written. */
export const decodeGone = (text: string): GoneRecord | undefined => {
  const found = parse(text);
  if (typeof found !== 'object' || found === null) return undefined;
  const { checksum, ...stored } = found as StoredRecord & { readonly checksum: unknown };
  if (checksum !== toChecksum(stored)) return undefined;
  const payload = Buffer.from(stored.payload, 'base64');
  const record = decodePayload(payload);
  return record && { tenantIdentity: stored.tenant_identity, record, payload, place: stored.place };
};

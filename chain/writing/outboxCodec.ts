// The bytes of an outbox entry: version (1 byte), CRC-32 of all bytes that follow it (4 bytes, big-endian), status (1
// byte), tenant identity and reason (each UTF-8 after its length in 4 bytes, big-endian), then the payload up to the
// end. The payload is stored as it was signed. The reason of a FAILED entry is its code, `: ` and a sentence. Entries
// that older versions wrote have a reason without a code, or are JSON, which begins with `{`.
import { crc32 } from 'node:zlib';
import { LedgerError } from '../../ledger/errors.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import { FAILURE_REASONS } from '../../ledger/records/commitment.ts';
import { decodePayload, encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import type { OutboxEntry } from './outboxEntries.ts';

const VERSION = 0x01;
const STATUSES = ['PENDING', 'FAILED'] as const;
const CHECKSUM_AT = 1;
const STATUS_AT = 5;
const TEXTS_AT = 6;
const LENGTH_BYTES = 4;
const JSON_START = '{'.charCodeAt(0);
const CODE_END = ': ';

type Reason = Pick<OutboxEntry, 'status' | 'reason' | 'failureReason'>;

const encodeReason = ({ reason, failureReason }: Reason): string =>
  failureReason === undefined ? reason : `${failureReason}${CODE_END}${reason}`;

// Older versions stored a sentence alone; of most records they didn't know more than that the chain refused them.
const decodeReason = (status: OutboxEntry['status'], stored: string): Reason => {
  if (status === 'PENDING') return { status, reason: stored };
  const code = FAILURE_REASONS.find((known) => stored.startsWith(known + CODE_END));
  if (code === undefined) return { status, reason: stored, failureReason: 'TRANSACTION_REFUSED' };
  return { status, reason: stored.slice(code.length + CODE_END.length), failureReason: code };
};

/** Encodes an entry for the disk. */
export const encodeEntry = (entry: Omit<OutboxEntry, 'sequence'>): Uint8Array => {
  const { tenantIdentity, status, payload } = entry;
  const reason = encodeReason(entry);
  const tenantBytes = Buffer.byteLength(tenantIdentity);
  const reasonBytes = Buffer.byteLength(reason);
  const reasonAt = TEXTS_AT + LENGTH_BYTES + tenantBytes;
  const payloadAt = reasonAt + LENGTH_BYTES + reasonBytes;
  const bytes = Buffer.allocUnsafe(payloadAt + payload.length);
  bytes[0] = VERSION;
  bytes[STATUS_AT] = STATUSES.indexOf(status);
  bytes.writeUInt32BE(tenantBytes, TEXTS_AT);
  bytes.write(tenantIdentity, TEXTS_AT + LENGTH_BYTES);
  bytes.writeUInt32BE(reasonBytes, reasonAt);
  bytes.write(reason, reasonAt + LENGTH_BYTES);
  bytes.set(payload, payloadAt);
  bytes.writeUInt32BE(crc32(bytes.subarray(STATUS_AT)), CHECKSUM_AT);
  return bytes;
};

const refuseEntry = (sequence: number, problem: string, cause?: unknown): LedgerError =>
  new LedgerError('OUTBOX_CORRUPT', { message: `The outbox, entry ${sequence}: ${problem}`, cause });

const readText = (bytes: Buffer, at: number): { text: string; end: number } => {
  const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
  return { text: bytes.toString('utf8', at + LENGTH_BYTES, end), end };
};

// The checksum matches, so the lengths are those that were written.
const decodeEntryBytes = (sequence: number, bytes: Buffer): OutboxEntry => {
  const isUndamaged = bytes.length > TEXTS_AT && bytes.readUInt32BE(CHECKSUM_AT) === crc32(bytes.subarray(STATUS_AT));
  if (bytes[0] !== VERSION || !isUndamaged) throw refuseEntry(sequence, 'its bytes do not match their checksum');
  const { text: tenantIdentity, end: reasonAt } = readText(bytes, TEXTS_AT);
  const { text: reason, end: payloadAt } = readText(bytes, reasonAt);
  const payload = Uint8Array.from(bytes.subarray(payloadAt));
  const record = decodePayload(payload);
  if (record === undefined) throw refuseEntry(sequence, 'its payload is not a record');
  const decoded = decodeReason(STATUSES[bytes[STATUS_AT]!]!, reason);
  return { sequence, tenantIdentity, streamIdentity: toStreamIdentityOf(record), record, payload, ...decoded };
};

type JsonEntry = Pick<OutboxEntry, 'tenantIdentity' | 'status' | 'reason'> & { readonly record: LedgerRecord };

const decodeJson = (sequence: number, bytes: Buffer): OutboxEntry => {
  try {
    const stored = JSON.parse(bytes.toString()) as JsonEntry;
    const { record } = stored;
    const decoded = { ...stored, ...decodeReason(stored.status, stored.reason) };
    return { sequence, ...decoded, streamIdentity: toStreamIdentityOf(record), payload: encodePayload(record) };
  } catch (cause) {
    throw refuseEntry(sequence, 'it cannot be read', cause);
  }
};

/**
 * Decodes the stored bytes of an entry.
 * @throws LedgerError OUTBOX_CORRUPT, naming the entry, for bytes that no version wrote.
 */
export const decodeEntry = (sequence: number, stored: Uint8Array): OutboxEntry => {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  return bytes[0] === JSON_START ? decodeJson(sequence, bytes) : decodeEntryBytes(sequence, bytes);
};

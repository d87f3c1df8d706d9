// The row of a record: where the chain has it, then its payload as it came. Nothing is written anew that the log has already.
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** A record in the index. */
export interface IndexedRecord {
  readonly record: LedgerRecord;
  readonly commitment: Commitment;
  /** `arc_attachments` of the asset after the event, where the event attached something. */
  readonly attachmentsAfter: AttributeValue | undefined;
}

/** Where a log is in the chain, and whose it is. */
export interface Place {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly transactionIndex: number;
  readonly blockTimestampSeconds: number;
  readonly transactionHash: Hex;
  /** Lower-case. */
  readonly author: Hex;
}

const TAG = 3;
const AT = { block: 1, log: 7, index: 11, seconds: 15, hash: 21, author: 53, attachments: 73 } as const;
const HEADER_BYTES = 77;

/** The row of a record with this payload. */
export const encodeRecordRow = (place: Place, payload: Uint8Array, attachmentsAfter?: AttributeValue): Buffer => {
  const attachments = attachmentsAfter === undefined ? '' : JSON.stringify(attachmentsAfter);
  const attachmentsBytes = Buffer.byteLength(attachments);
  const row = Buffer.allocUnsafe(HEADER_BYTES + attachmentsBytes + payload.length);
  row[0] = TAG;
  row.writeUIntBE(place.blockNumber, AT.block, 6);
  row.writeUInt32BE(place.logIndex, AT.log);
  row.writeUInt32BE(place.transactionIndex, AT.index);
  row.writeUIntBE(place.blockTimestampSeconds, AT.seconds, 6);
  row.set(fromHex(place.transactionHash), AT.hash);
  row.set(fromHex(place.author), AT.author);
  row.writeUInt32BE(attachmentsBytes, AT.attachments);
  row.write(attachments, HEADER_BYTES);
  row.set(payload, HEADER_BYTES + attachmentsBytes);
  return row;
};

/** Where the chain has a record, as the API shows it. */
export const toCommitment = (place: Place): Commitment => ({
  confirmation_status: 'CONFIRMED',
  timestamp_committed: toBlockTimestamp(place.blockTimestampSeconds),
  block_number: place.blockNumber,
  transaction_index: place.transactionIndex,
  log_index: place.logIndex,
  transaction_id: place.transactionHash,
  from: toChecksumAddress(place.author),
});

const decodePlace = (row: Buffer): Place => ({
  blockNumber: row.readUIntBE(AT.block, 6),
  logIndex: row.readUInt32BE(AT.log),
  transactionIndex: row.readUInt32BE(AT.index),
  blockTimestampSeconds: row.readUIntBE(AT.seconds, 6),
  transactionHash: toHex(row.subarray(AT.hash, AT.author)),
  author: toHex(row.subarray(AT.author, AT.attachments)),
});

const toPayloadAt = (row: Buffer): number => HEADER_BYTES + row.readUInt32BE(AT.attachments);
const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** Whether a row is that of a record with exactly this payload. */
export const isRowOfPayload = (bytes: Uint8Array, payload: Uint8Array): boolean => {
  const row = toBuffer(bytes);
  return row.subarray(toPayloadAt(row)).equals(payload);
};

/** The record of a row, without its place. Its payload was checked before it was written. */
export const decodeRecord = (bytes: Uint8Array): LedgerRecord => {
  const row = toBuffer(bytes);
  return JSON.parse(row.toString('utf8', toPayloadAt(row) + 1)) as LedgerRecord;
};

/** Whether a row of bytes is that of a record. */
export const isRecordRow = (bytes: Uint8Array): boolean => bytes[0] === TAG;

/** Where the record of a row is, and its payload as it was signed; undefined for a row of something else. */
export const decodePayloadRow = (bytes: Uint8Array): { place: Place; payload: Uint8Array } | undefined => {
  const row = toBuffer(bytes);
  return row[0] === TAG ? { place: decodePlace(row), payload: row.subarray(toPayloadAt(row)) } : undefined;
};

/** The record of a row and where it is. */
export const decodeRecordRow = (bytes: Uint8Array): IndexedRecord => {
  const row = toBuffer(bytes);
  const payloadAt = toPayloadAt(row);
  const attachments = row.toString('utf8', HEADER_BYTES, payloadAt);
  return {
    record: decodeRecord(row),
    commitment: toCommitment(decodePlace(row)),
    attachmentsAfter: attachments === '' ? undefined : (JSON.parse(attachments) as AttributeValue),
  };
};

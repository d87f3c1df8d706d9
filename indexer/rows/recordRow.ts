// The row of a record: its place in the chain, then its payload with the bytes that were logged.
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';

/** A record as the index has it. */
export interface IndexedRecord {
  readonly record: LedgerRecord;
  readonly commitment: Commitment;
  /** `arc_attachments` of the asset after the event, if the event attached blobs. */
  readonly attachmentsAfter: AttributeValue | undefined;
}

/** Where the chain has a record, and the account that wrote it. */
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

/** Encodes the row of a record. `payload`: the logged bytes. */
export const encodeRecordRow = (place: Place, payload: Uint8Array, attachmentsAfter?: AttributeValue): Buffer => {
  const attachments = attachmentsAfter === undefined ? '' : JSON.stringify(attachmentsAfter);
  const attachmentsBytes = Buffer.byteLength(attachments);
  const row = Buffer.allocUnsafe(HEADER_BYTES + attachmentsBytes + payload.length);
  row[0] = TAG;
  row.writeUIntBE(place.blockNumber, AT.block, 6);
  row.writeUInt32BE(place.logIndex, AT.log);
  row.writeUInt32BE(place.transactionIndex, AT.index);
  row.writeUIntBE(place.blockTimestampSeconds, AT.seconds, 6);
  row.write(place.transactionHash.slice(2), AT.hash, 'hex');
  row.write(place.author.slice(2), AT.author, 'hex');
  row.writeUInt32BE(attachmentsBytes, AT.attachments);
  row.write(attachments, HEADER_BYTES);
  row.set(payload, HEADER_BYTES + attachmentsBytes);
  return row;
};

/** A record's place as the API shows it. */
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

/** Whether a row has `arc_attachments` of the asset after the event. */
export const hasAttachments = (bytes: Uint8Array): boolean => toBuffer(bytes).readUInt32BE(AT.attachments) > 0;

/** Whether a record's row has exactly this payload. */
export const isRowOfPayload = (bytes: Uint8Array, payload: Uint8Array): boolean => {
  const row = toBuffer(bytes);
  return row.subarray(toPayloadAt(row)).equals(payload);
};

/** Decodes a row to the record alone. The projection checked the payload before it wrote the row. */
export const decodeRecord = (bytes: Uint8Array): LedgerRecord => {
  const row = toBuffer(bytes);
  return JSON.parse(row.toString('utf8', toPayloadAt(row) + 1)) as LedgerRecord;
};

/** Decodes a row to the record's commitment alone. */
export const decodeCommitment = (bytes: Uint8Array): Commitment => toCommitment(decodePlace(toBuffer(bytes)));

/** Whether bytes are the row of a record. */
export const isRecordRow = (bytes: Uint8Array): boolean => bytes[0] === TAG;

/**
 * Decodes a row to the record's place and its payload with the bytes that were signed; undefined for another kind of
 * row.
 */
export const decodePayloadRow = (bytes: Uint8Array): { place: Place; payload: Uint8Array } | undefined => {
  const row = toBuffer(bytes);
  return row[0] === TAG ? { place: decodePlace(row), payload: row.subarray(toPayloadAt(row)) } : undefined;
};

/** Decodes the row of a record. */
export const decodeRecordRow = (bytes: Uint8Array): IndexedRecord => {
  const row = toBuffer(bytes);
  const payloadAt = toPayloadAt(row);
  const attachments = row.toString('utf8', HEADER_BYTES, payloadAt);
  return {
    record: decodeRecord(row),
    commitment: decodeCommitment(row),
    attachmentsAfter: attachments === '' ? undefined : (JSON.parse(attachments) as AttributeValue),
  };
};

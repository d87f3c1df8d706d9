// The row of a record: its place in the chain, then its payload with the bytes that were logged.
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { formatUuid, toTenantIdentity, toUuid } from '../../ledger/identity.ts';
import type { AttributeValue } from '../../ledger/records/attributes.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { type ChainPosition, decodeChainPosition } from './chainPosition.ts';

/** A record as the index has it. */
export interface IndexedRecord {
  readonly record: LedgerRecord;
  readonly commitment: Commitment;
  /** `arc_attachments` of the asset after the event, if the event attached blobs. */
  readonly attachmentsAfter: AttributeValue | undefined;
  /** Identity of the tenant that contributed the event to another tenant's asset; undefined in rows of own records. */
  readonly writer: string | undefined;
}

/** What the projection adds to a record in its row. */
export interface RecordAdditions {
  readonly attachmentsAfter?: AttributeValue | undefined;
  readonly writer?: string | undefined;
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
/** Of a row with the writer after the header. */
const TAG_CONTRIBUTED = 12;
const AT = { block: 1, log: 7, index: 11, seconds: 15, hash: 21, author: 53, attachments: 73 } as const;
const HEADER_BYTES = 77;
const UUID_BYTES = 16;

const hasWriter = (row: Uint8Array): boolean => row[0] === TAG_CONTRIBUTED;
const toAttachmentsAt = (row: Uint8Array): number => HEADER_BYTES + (hasWriter(row) ? UUID_BYTES : 0);

/** Encodes the row of a record. `payload`: the logged bytes. */
export const encodeRecordRow = (
  place: Place,
  payload: Uint8Array,
  { attachmentsAfter, writer }: RecordAdditions = {},
): Buffer => {
  const attachments = attachmentsAfter === undefined ? '' : JSON.stringify(attachmentsAfter);
  const attachmentsBytes = Buffer.byteLength(attachments);
  const writerBytes = writer === undefined ? 0 : UUID_BYTES;
  const row = Buffer.allocUnsafe(HEADER_BYTES + writerBytes + attachmentsBytes + payload.length);
  row[0] = writer === undefined ? TAG : TAG_CONTRIBUTED;
  row.writeUIntBE(place.blockNumber, AT.block, 6);
  row.writeUInt32BE(place.logIndex, AT.log);
  row.writeUInt32BE(place.transactionIndex, AT.index);
  row.writeUIntBE(place.blockTimestampSeconds, AT.seconds, 6);
  row.write(place.transactionHash.slice(2), AT.hash, 'hex');
  row.write(place.author.slice(2), AT.author, 'hex');
  row.writeUInt32BE(attachmentsBytes, AT.attachments);
  if (writer !== undefined) row.write(toUuid(writer).replaceAll('-', ''), HEADER_BYTES, 'hex');
  row.write(attachments, HEADER_BYTES + writerBytes);
  row.set(payload, HEADER_BYTES + writerBytes + attachmentsBytes);
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

/** The position of a record's row in the chain. */
export const positionOfRow = (bytes: Uint8Array): ChainPosition => decodeChainPosition(bytes.subarray(AT.block));

const decodePlace = (row: Buffer): Place => ({
  blockNumber: row.readUIntBE(AT.block, 6),
  logIndex: row.readUInt32BE(AT.log),
  transactionIndex: row.readUInt32BE(AT.index),
  blockTimestampSeconds: row.readUIntBE(AT.seconds, 6),
  transactionHash: toHex(row.subarray(AT.hash, AT.author)),
  author: toHex(row.subarray(AT.author, AT.attachments)),
});

const toPayloadAt = (row: Buffer): number => toAttachmentsAt(row) + row.readUInt32BE(AT.attachments);
const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** Whether a row has nothing but a record and its place: no attachments after an event, and no writer. */
export const isPlainRow = (bytes: Uint8Array): boolean =>
  !hasWriter(bytes) && toBuffer(bytes).readUInt32BE(AT.attachments) === 0;

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
export const isRecordRow = (bytes: Uint8Array): boolean => bytes[0] === TAG || hasWriter(bytes);

/**
 * Decodes a row to the record's place and its payload with the bytes that were signed; undefined for another kind of
 * row.
 */
export const decodePayloadRow = (bytes: Uint8Array): { place: Place; payload: Uint8Array } | undefined => {
  const row = toBuffer(bytes);
  return isRecordRow(row) ? { place: decodePlace(row), payload: row.subarray(toPayloadAt(row)) } : undefined;
};

const decodeWriter = (row: Buffer): string =>
  toTenantIdentity(formatUuid(row.toString('hex', HEADER_BYTES, HEADER_BYTES + UUID_BYTES)));

/** Decodes the row of a record. */
export const decodeRecordRow = (bytes: Uint8Array): IndexedRecord => {
  const row = toBuffer(bytes);
  const payloadAt = toPayloadAt(row);
  const attachments = row.toString('utf8', toAttachmentsAt(row), payloadAt);
  return {
    record: decodeRecord(row),
    commitment: decodeCommitment(row),
    attachmentsAfter: attachments === '' ? undefined : (JSON.parse(attachments) as AttributeValue),
    writer: hasWriter(row) ? decodeWriter(row) : undefined,
  };
};

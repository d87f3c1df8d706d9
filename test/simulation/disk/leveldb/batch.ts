// LevelDB's batches: what one record of a log contains. 8 bytes with the first sequence number, 4 with the number of
// operations, then each operation.
import { createByteReader } from '../../../../chain/leveldb/byteReader.ts';
import { varintBytes, writeVarint } from './varint.ts';

const HEADER_BYTES = 12;
const COUNT_AT = 8;
const [DELETION, VALUE] = [0, 1];

/** One operation: a put, or a deletion when it has no value. */
export interface BatchOperation {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** An operation as it is stored: its bytes are part of the record. */
export interface StoredOperation {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** A record and its operations. */
export interface EncodedBatch {
  readonly record: Buffer;
  readonly operations: readonly StoredOperation[];
}

const sizeOf = ({ length }: Uint8Array): number => varintBytes(length) + length;

const writeBytes = (record: Buffer, bytes: Uint8Array, from: number): Buffer => {
  const at = writeVarint(record, bytes.length, from);
  record.set(bytes, at);
  return record.subarray(at, at + bytes.length);
};

/** Size of the operations in a record, in bytes. */
export const measureOperations = (operations: readonly BatchOperation[]): number =>
  operations.reduce((sum, { key, value }) => sum + 1 + sizeOf(key) + (value === undefined ? 0 : sizeOf(value)), 0);

/** Encodes operations, of which the first has this sequence number. */
export const encodeBatch = (operations: readonly BatchOperation[], sequence: number): EncodedBatch => {
  const record = Buffer.allocUnsafe(HEADER_BYTES + measureOperations(operations));
  record.writeBigUInt64LE(BigInt(sequence));
  record.writeUInt32LE(operations.length, COUNT_AT);
  let at = HEADER_BYTES;
  const stored = operations.map(({ key: givenKey, value: givenValue }) => {
    record[at] = givenValue === undefined ? DELETION : VALUE;
    const key = writeBytes(record, givenKey, at + 1);
    at += 1 + sizeOf(key);
    if (givenValue === undefined) return { key, value: undefined };
    const value = writeBytes(record, givenValue, at);
    at += sizeOf(value);
    return { key, value };
  });
  return { record, operations: stored };
};

/** A batch that was read; undefined when the record is too short for one, which LevelDB skips. */
export const decodeBatch = (record: Buffer): { sequence: number; operations: StoredOperation[] } | undefined => {
  if (record.length < HEADER_BYTES) return undefined;
  const reader = createByteReader(record.subarray(HEADER_BYTES), HEADER_BYTES);
  const operations: StoredOperation[] = [];
  while (!reader.isAtEnd) {
    const isPut = reader.varint() === VALUE;
    const key = reader.take(reader.varint());
    operations.push({ key, value: isPut ? reader.take(reader.varint()) : undefined });
  }
  return { sequence: Number(record.readBigUInt64LE()), operations };
};

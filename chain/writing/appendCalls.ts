// Encodes the calldata of `append(bytes32,Record[])` and `appendSigned(SignedBatch[])` by hand into one buffer: ethers
// encodes a hundred records 40 times a second, this code tens of thousands of times. Tested byte for byte against
// ethers.
import type { RecordContent } from '../../ledger/encoding/digest.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';

/** The records of one author for one tenant. */
export interface AuthorBatch {
  readonly tenantKey: Uint8Array;
  readonly author: Uint8Array;
  readonly records: readonly RecordContent[];
}

/** The same, and the author's signature over them. */
export interface SignedBatch extends AuthorBatch {
  readonly signature: Uint8Array;
}

const toSelector = (signature: string): Uint8Array => keccak256(Buffer.from(signature, 'ascii')).subarray(0, 4);

const WORD = 32;
const SELECTOR_BYTES = 4;
const APPEND = toSelector('append(bytes32,(bytes32,bytes32,bytes)[])');
const APPEND_SIGNED = toSelector('appendSigned((bytes32,address,(bytes32,bytes32,bytes)[],bytes)[])');
const APPEND_HEAD_WORDS = 2;
const RECORD_HEAD_WORDS = 3;
const BATCH_HEAD_WORDS = 4;

const toPadded = (length: number): number => Math.ceil(length / WORD) * WORD;
const bytesSize = (bytes: Uint8Array): number => WORD + toPadded(bytes.length);
const recordSize = (record: RecordContent): number => RECORD_HEAD_WORDS * WORD + bytesSize(record.payload);

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
// An array of dynamic tuples: its length, an offset for each, the tuples.
const arraySize = (sizes: readonly number[]): number => WORD + sizes.length * WORD + sum(sizes);

const recordsSize = ({ records }: AuthorBatch): number => arraySize(records.map(recordSize));
const batchSize = (batch: SignedBatch): number =>
  BATCH_HEAD_WORDS * WORD + recordsSize(batch) + bytesSize(batch.signature);

interface Writer {
  number(value: number): void;
  right(bytes: Uint8Array): void;
  left(bytes: Uint8Array): void;
}

const createWordWriter = (buffer: Buffer, start: number): Writer => {
  let at = start;
  return {
    number: (value) => {
      buffer.writeUInt32BE(value, at + WORD - 4);
      at += WORD;
    },
    right: (bytes) => {
      buffer.set(bytes, at + WORD - bytes.length);
      at += WORD;
    },
    left: (bytes) => {
      buffer.set(bytes, at);
      at += toPadded(bytes.length);
    },
  };
};

const writeOffsets = (writer: Writer, sizes: readonly number[]): void => {
  writer.number(sizes.length);
  let offset = sizes.length * WORD;
  for (const size of sizes) {
    writer.number(offset);
    offset += size;
  }
};

const writeBytes = (writer: Writer, bytes: Uint8Array): void => {
  writer.number(bytes.length);
  writer.left(bytes);
};

const writeRecords = (writer: Writer, records: readonly RecordContent[]): void => {
  writeOffsets(writer, records.map(recordSize));
  for (const record of records) {
    writer.left(record.streamKey);
    writer.left(record.recordKey);
    writer.number(RECORD_HEAD_WORDS * WORD);
    writeBytes(writer, record.payload);
  }
};

const writeBatch = (writer: Writer, batch: SignedBatch): void => {
  writer.left(batch.tenantKey);
  writer.right(batch.author);
  writer.number(BATCH_HEAD_WORDS * WORD);
  writer.number(BATCH_HEAD_WORDS * WORD + recordsSize(batch));
  writeRecords(writer, batch.records);
  writeBytes(writer, batch.signature);
};

/**
 * Encodes the calldata with which the author itself appends the batch. Keys are 32 bytes, all payloads together under
 * 4 GiB.
 */
export const encodeAppendCall = (batch: AuthorBatch): Uint8Array => {
  const buffer = Buffer.alloc(SELECTOR_BYTES + APPEND_HEAD_WORDS * WORD + recordsSize(batch));
  buffer.set(APPEND);
  const writer = createWordWriter(buffer, SELECTOR_BYTES);
  writer.left(batch.tenantKey);
  writer.number(APPEND_HEAD_WORDS * WORD);
  writeRecords(writer, batch.records);
  return buffer;
};

/**
 * Encodes the calldata with which any account appends the batches in order. Keys are 32 bytes, the author 20, all
 * payloads together under 4 GiB.
 */
export const encodeAppendSignedCall = (batches: readonly SignedBatch[]): Uint8Array => {
  const sizes = batches.map(batchSize);
  const buffer = Buffer.alloc(SELECTOR_BYTES + WORD + arraySize(sizes));
  buffer.set(APPEND_SIGNED);
  const writer = createWordWriter(buffer, SELECTOR_BYTES);
  writer.number(WORD);
  writeOffsets(writer, sizes);
  for (const batch of batches) writeBatch(writer, batch);
  return buffer;
};

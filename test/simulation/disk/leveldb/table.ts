// Writes LevelDB's tables: sorted entries with an index and a footer. All entries are in one block, which isn't
// compressed.
import { toMaskedCrc } from '../../../../chain/leveldb/crc32c.ts';
import { encodeVarints, varintBytes, writeVarint } from './varint.ts';

const [DELETION, PUT] = [0, 1];
const KIND_BITS = 8n;
const SEQUENCE_BYTES = 8;
const NO_COMPRESSION = 0;
const TRAILER_BYTES = 5;
const HANDLES_BYTES = 40;
const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
/** A block's end: its one restart point, and their number. */
const RESTARTS = Buffer.from([0, 0, 0, 0, 1, 0, 0, 0]);

/** An entry, or a deletion when it has no value. */
export interface TableEntry {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** A table and its smallest and largest key, as the MANIFEST has them. */
export interface EncodedTable {
  readonly bytes: Buffer;
  readonly smallest: Buffer;
  readonly largest: Buffer;
}

const toInternalKey = ({ key, value }: TableEntry, sequence: number): Buffer => {
  const internal = Buffer.allocUnsafe(key.length + SEQUENCE_BYTES);
  internal.set(key);
  const kind = BigInt(value === undefined ? DELETION : PUT);
  internal.writeBigUInt64LE((BigInt(sequence) << KIND_BITS) | kind, key.length);
  return internal;
};

type BlockEntry = readonly [key: Buffer, value: Buffer];

const sizeOf = ([key, value]: BlockEntry): number =>
  1 + varintBytes(key.length) + varintBytes(value.length) + key.length + value.length;

// No key shares a prefix with the one before it.
const encodeBlock = (entries: readonly BlockEntry[]): Buffer => {
  const size = entries.reduce((sum, entry) => sum + sizeOf(entry), RESTARTS.length);
  const block = Buffer.allocUnsafe(size + TRAILER_BYTES);
  let at = 0;
  for (const [key, value] of entries) {
    for (const number of [0, key.length, value.length]) at = writeVarint(block, number, at);
    block.set(key, at);
    block.set(value, at + key.length);
    at += key.length + value.length;
  }
  block.set(RESTARTS, at);
  block[size] = NO_COMPRESSION;
  block.writeUInt32LE(toMaskedCrc(block.subarray(0, size + 1)), size + 1);
  return block;
};

const toHandle = (offset: number, block: Buffer): Buffer => encodeVarints([offset, block.length - TRAILER_BYTES]);

/** Encodes entries, at least one, sorted by key and each key once. All have one sequence number. */
export const encodeTable = (entries: readonly TableEntry[], sequence: number): EncodedTable => {
  const sorted = entries.map((entry): BlockEntry => [toInternalKey(entry, sequence), entry.value ?? Buffer.alloc(0)]);
  const largest = sorted.at(-1)![0];
  const data = encodeBlock(sorted);
  const filters = encodeBlock([]);
  const index = encodeBlock([[largest, toHandle(0, data)]]);
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.set(Buffer.concat([toHandle(data.length, filters), toHandle(data.length + filters.length, index)]));
  footer.writeBigUInt64LE(MAGIC, HANDLES_BYTES);
  return { bytes: Buffer.concat([data, filters, index, footer]), smallest: sorted[0]![0], largest };
};

// LevelDB's tables, its .ldb files: blocks with a checksum each, an index of the blocks, a footer. LevelDB could check
// them at every read; the binding lacks the option.
import { type ByteReader, createByteReader, DamagedBytes } from './byteReader.ts';
import { toMaskedCrc } from './crc32c.ts';
import type { FileKeyRange } from './manifestFile.ts';
import { uncompressSnappy } from './snappy.ts';

const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const MAGIC_BYTES = 8;
/** Bytes after each block: compression type and checksum. */
const TRAILER_BYTES = 5;
const RESTART_BYTES = 4;

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

const readHandle = (reader: ByteReader): BlockHandle => ({ offset: reader.varint(), size: reader.varint() });

const checkBlock = (file: Buffer, { offset, size }: BlockHandle): void => {
  const end = offset + size;
  if (end + TRAILER_BYTES > file.length - FOOTER_BYTES)
    throw new DamagedBytes(offset, 'a block is outside of the file');
  if (toMaskedCrc(file.subarray(offset, end + 1)) !== file.readUInt32LE(end + 1)) {
    throw new DamagedBytes(offset, 'a block has a wrong checksum');
  }
};

const readBlock = (file: Buffer, handle: BlockHandle): Buffer => {
  checkBlock(file, handle);
  const { offset, size } = handle;
  const bytes = file.subarray(offset, offset + size);
  return file[offset + size] === 0 ? bytes : uncompressSnappy(bytes, offset);
};

interface BlockEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

// A key shares a prefix with the key before it.
function* readBlockEntries(block: Buffer, offset: number): Iterable<BlockEntry> {
  const restartsEnd = block.length - RESTART_BYTES;
  const entriesEnd = restartsEnd - RESTART_BYTES * block.readUInt32LE(restartsEnd);
  if (entriesEnd < 0) throw new DamagedBytes(offset, 'a block is malformed');
  const reader = createByteReader(block.subarray(0, entriesEnd), offset);
  let key = Buffer.alloc(0);
  while (!reader.isAtEnd) {
    const sharedBytes = reader.varint();
    const keyBytes = reader.varint();
    const valueBytes = reader.varint();
    key = Buffer.concat([key.subarray(0, sharedBytes), reader.take(keyBytes)]);
    yield { key, value: reader.take(valueBytes) };
  }
}

interface IndexEntry {
  /** At least the last key of the block, and at most the first key of the next block. */
  readonly key: Buffer;
  readonly handle: BlockHandle;
}

// The values of an index block are handles.
function* readIndex(block: Buffer, offset: number): Iterable<IndexEntry> {
  for (const { key, value } of readBlockEntries(block, offset)) {
    yield { key, handle: readHandle(createByteReader(value, offset)) };
  }
}

// Handles of the index of entries, and of the index of filters that follow them.
const readRoots = (file: Buffer): readonly [index: BlockHandle, metaIndex: BlockHandle] => {
  const footerAt = file.length - FOOTER_BYTES;
  if (footerAt < 0 || file.readBigUInt64LE(file.length - MAGIC_BYTES) !== MAGIC) {
    throw new DamagedBytes(Math.max(0, footerAt), 'the file does not end as a table does');
  }
  const footer = createByteReader(file.subarray(footerAt), footerAt);
  const metaIndex = readHandle(footer);
  return [readHandle(footer), metaIndex];
};

/**
 * Checks a table block by block; after each block, yields its position in the file, in bytes.
 * @throws DamagedBytes when any byte that LevelDB reads is not the one that it wrote.
 */
export function* checkTable(file: Buffer): Iterable<number> {
  for (const root of readRoots(file)) {
    for (const { handle } of readIndex(readBlock(file, root), root.offset)) {
      // The checksum is of the compressed bytes.
      checkBlock(file, handle);
      yield handle.offset;
    }
  }
}

/** One state of an entry; a larger sequence number is newer. */
export interface InternalEntry {
  readonly key: Buffer;
  readonly sequence: bigint;
  /** Undefined when the entry was deleted. */
  readonly value: Buffer | undefined;
}

/** Kind of an entry that has a value. */
export const PUT = 1;
const KEY_TRAILER_BYTES = 8;
const KIND_BITS = 8n;

const toInternalEntry = ({ key, value }: BlockEntry): InternalEntry => {
  const trailer = key.readBigUInt64LE(key.length - KEY_TRAILER_BYTES);
  const isPut = Number(trailer & 0xffn) === PUT;
  return { key: key.subarray(0, -KEY_TRAILER_BYTES), sequence: trailer >> KIND_BITS, value: isPut ? value : undefined };
};

// Blocks that may have keys of the range. Entries of one key may be in two blocks.
function* findBlocks(index: Iterable<IndexEntry>, range: FileKeyRange | undefined): Iterable<BlockHandle> {
  let before: Buffer | undefined;
  for (const { key, handle } of index) {
    const last = key.subarray(0, -KEY_TRAILER_BYTES);
    if (range !== undefined && before !== undefined && Buffer.compare(before, range.largest) > 0) return;
    if (range === undefined || Buffer.compare(last, range.smallest) >= 0) yield handle;
    before = last;
  }
}

/**
 * The entries of a table; with a range, only those of the blocks that may have keys of the range.
 * @throws DamagedBytes when one of these blocks is damaged.
 */
export function* readTableEntries(file: Buffer, range?: FileKeyRange): Iterable<InternalEntry> {
  const [root] = readRoots(file);
  const index = readIndex(readBlock(file, root), root.offset);
  for (const handle of findBlocks(index, range)) {
    for (const entry of readBlockEntries(readBlock(file, handle), handle.offset)) yield toInternalEntry(entry);
  }
}

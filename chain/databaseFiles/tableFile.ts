// LevelDB's tables, its .ldb files: blocks with a checksum each, an index of them, a footer. LevelDB could check them at every read; the
// binding does not have the option.
import { type ByteReader, createByteReader, DamagedBytes } from './bytes.ts';
import { toMaskedCrc } from './crc32c.ts';
import { uncompressSnappy } from './snappy.ts';

const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const MAGIC_BYTES = 8;
/** Compression type and checksum. */
const TRAILER_BYTES = 5;
const RESTART_BYTES = 4;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

const readHandle = (reader: ByteReader): Handle => ({ offset: reader.varint(), size: reader.varint() });

const readBlock = (file: Buffer, { offset, size }: Handle): Buffer => {
  const end = offset + size;
  if (end + TRAILER_BYTES > file.length - FOOTER_BYTES)
    throw new DamagedBytes(offset, 'a block is outside of the file');
  if (toMaskedCrc(file.subarray(offset, end + 1)) !== file.readUInt32LE(end + 1)) {
    throw new DamagedBytes(offset, 'a block has a wrong checksum');
  }
  const bytes = file.subarray(offset, end);
  return file[end] === 0 ? bytes : uncompressSnappy(bytes, offset);
};

// The entries of an index block: keys share prefixes with those before them, and values are handles.
const readHandles = (block: Buffer, offset: number): Handle[] => {
  const restartsEnd = block.length - RESTART_BYTES;
  const entriesEnd = restartsEnd - RESTART_BYTES * block.readUInt32LE(restartsEnd);
  if (entriesEnd < 0) throw new DamagedBytes(offset, 'an index block is malformed');
  const reader = createByteReader(block.subarray(0, entriesEnd), offset);
  const handles: Handle[] = [];
  while (!reader.isAtEnd) {
    reader.varint();
    const keyBytes = reader.varint();
    const valueBytes = reader.varint();
    reader.take(keyBytes);
    handles.push(readHandle(createByteReader(reader.take(valueBytes), offset)));
  }
  return handles;
};

/**
 * Checks a table block by block; yields, after each, where it begins in the file, in bytes.
 * @throws DamagedBytes when any byte of the table that LevelDB looks at is not the one that it wrote.
 */
export function* checkTable(file: Buffer): Iterable<number> {
  const footerAt = file.length - FOOTER_BYTES;
  if (footerAt < 0 || file.readBigUInt64LE(file.length - MAGIC_BYTES) !== MAGIC) {
    throw new DamagedBytes(Math.max(0, footerAt), 'the file does not end as a table does');
  }
  const footer = createByteReader(file.subarray(footerAt), footerAt);
  for (const root of [readHandle(footer), readHandle(footer)]) {
    for (const handle of readHandles(readBlock(file, root), root.offset)) {
      readBlock(file, handle);
      yield handle.offset;
    }
  }
}

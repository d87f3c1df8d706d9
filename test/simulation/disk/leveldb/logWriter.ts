// Writes records to a file in LevelDB's log format, as its log::Writer does, also after a write that failed: the writer
// counts the bytes that it wanted to write.
import { toMaskedCrc } from '../../../../chain/leveldb/crc32c.ts';

export const BLOCK_BYTES = 32_768;
export const HEADER_BYTES = 7;
/** Kinds of fragments. */
export const FRAGMENT = { full: 1, first: 2, middle: 3, last: 4 } as const;

const LENGTH_AT = 4;
const TYPE_AT = 6;

const toFragmentType = (isFirst: boolean, isLast: boolean): number => {
  if (isFirst) return isLast ? FRAGMENT.full : FRAGMENT.first;
  return isLast ? FRAGMENT.last : FRAGMENT.middle;
};

const toFragment = (type: number, data: Uint8Array, paddingBytes: number): Buffer => {
  const fragment = Buffer.allocUnsafe(paddingBytes + HEADER_BYTES + data.length);
  fragment.fill(0, 0, paddingBytes);
  fragment.writeUInt16LE(data.length, paddingBytes + LENGTH_AT);
  fragment[paddingBytes + TYPE_AT] = type;
  fragment.set(data, paddingBytes + HEADER_BYTES);
  const crc = toMaskedCrc(fragment.subarray(paddingBytes + TYPE_AT));
  fragment.writeUInt32LE(crc, paddingBytes);
  return fragment;
};

/** Writes records to one file. Returns after the operating system has the record; throws what `append` throws. */
export const createLogWriter = (append: (bytes: Uint8Array) => void): ((record: Uint8Array) => void) => {
  let blockOffset = 0;
  return (record) => {
    let at = 0;
    do {
      const left = BLOCK_BYTES - blockOffset;
      const paddingBytes = left < HEADER_BYTES ? left : 0;
      if (left < HEADER_BYTES) blockOffset = 0;
      const end = Math.min(record.length, at + BLOCK_BYTES - blockOffset - HEADER_BYTES);
      const type = toFragmentType(at === 0, end === record.length);
      blockOffset += HEADER_BYTES + end - at;
      append(toFragment(type, record.subarray(at, end), paddingBytes));
      at = end;
    } while (at < record.length);
  };
};

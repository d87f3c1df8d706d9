// Decompresses Snappy's block format, in which LevelDB compresses the blocks of its tables (github.com/google/snappy,
// format_description.txt). A start decompresses up to a thousand blocks of the chain twice, so this allocates nothing
// but the output.
import { DamagedBytes } from './byteReader.ts';

const LITERAL = 0;
const LONG_LITERAL = 60;
/** Bytes after the tag of a copy that have its distance, by the tag's kind. */
const DISTANCE_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES_MAX = 5;
/** From this length on, a copy by the runtime is faster than a loop. */
const LONG_COPY_BYTES = 32;

const OUTSIDE = 'a compressed block refers to bytes outside of it';

// A number of `length` bytes, the least significant first; NaN when the data end before.
const readNumber = (bytes: Buffer, at: number, length: number): number => {
  let value = 0;
  for (let read = length - 1; read >= 0; read -= 1) value = value * 0x100 + bytes[at + read]!;
  return value;
};

// The bytes that are read may be among those that are written before.
const copyBytes = (source: Buffer, from: number, output: Buffer, at: number, length: number): void => {
  const isSeparate = source !== output || from + length <= at;
  if (length >= LONG_COPY_BYTES && isSeparate) source.copy(output, at, from, from + length);
  else for (let done = 0; done < length; done += 1) output[at + done] = source[from + done]!;
};

// The size of the output, which the data begin with, and the position after it.
const readSize = (compressed: Buffer): readonly [size: number, from: number] => {
  let size = 0;
  for (let at = 0; at < SIZE_BYTES_MAX && at < compressed.length; at += 1) {
    size += (compressed[at]! & 0x7f) * 0x80 ** at;
    if (compressed[at]! < 0x80) return [size, at + 1];
  }
  return [Number.NaN, compressed.length];
};

/**
 * Decompresses a block. `fileOffset` is its position in the file.
 * @throws DamagedBytes for bytes that are not Snappy's.
 */
export const uncompressSnappy = (compressed: Buffer, fileOffset: number): Buffer => {
  const assertInside = (isInside: boolean): void => {
    if (!isInside) throw new DamagedBytes(fileOffset, OUTSIDE);
  };
  const [size, begin] = readSize(compressed);
  assertInside(size >= 0);
  const output = Buffer.allocUnsafe(size);
  let from = begin;
  let at = 0;
  while (from < compressed.length) {
    const tag = compressed[from]!;
    const kind = tag & 3;
    const short = tag >>> 2;
    from += 1;
    if (kind === LITERAL) {
      const lengthBytes = Math.max(0, short - LONG_LITERAL + 1);
      const length = 1 + (lengthBytes === 0 ? short : readNumber(compressed, from, lengthBytes));
      from += lengthBytes;
      assertInside(from + length <= compressed.length && at + length <= size);
      copyBytes(compressed, from, output, at, length);
      from += length;
      at += length;
    } else {
      const distanceBytes = DISTANCE_BYTES[kind]!;
      const high = kind === 1 ? (tag >>> 5) << 8 : 0;
      const length = kind === 1 ? (short & 7) + 4 : short + 1;
      const distance = high + readNumber(compressed, from, distanceBytes);
      from += distanceBytes;
      assertInside(distance > 0 && distance <= at && at + length <= size);
      copyBytes(output, at - distance, output, at, length);
      at += length;
    }
  }
  if (at !== size) throw new DamagedBytes(fileOffset, 'a compressed block has another length');
  return output;
};

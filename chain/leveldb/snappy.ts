// Decompresses Snappy's block format, in which LevelDB compresses the blocks of its tables (github.com/google/snappy,
// format_description.txt).
import { createByteReader, DamagedBytes } from './byteReader.ts';

const LITERAL = 0;
const LONG_LITERAL = 60;

const readLittleEndian = (bytes: Buffer): number => bytes.readUIntLE(0, bytes.length);

/**
 * Decompresses a block. `fileOffset` is its position in the file.
 * @throws DamagedBytes for bytes that are not Snappy's.
 */
export const uncompressSnappy = (compressed: Buffer, fileOffset: number): Buffer => {
  const reader = createByteReader(compressed, fileOffset);
  const output = Buffer.alloc(reader.varint());
  let at = 0;
  const copyLiteral = (tag: number): void => {
    const short = tag >>> 2;
    const length = short < LONG_LITERAL ? short : readLittleEndian(reader.take(short - LONG_LITERAL + 1));
    at += reader.take(length + 1).copy(output, at);
  };
  const copyEarlier = (distance: number, length: number): void => {
    if (distance === 0 || distance > at || at + length > output.length) {
      throw new DamagedBytes(fileOffset, 'a compressed block refers to bytes outside of it');
    }
    for (const end = at + length; at < end; at += 1) output[at] = output[at - distance]!;
  };
  while (!reader.isAtEnd) {
    const tag = reader.take(1)[0]!;
    const kind = tag & 3;
    if (kind === LITERAL) copyLiteral(tag);
    else if (kind === 1) copyEarlier(((tag >>> 5) << 8) | reader.take(1)[0]!, ((tag >>> 2) & 7) + 4);
    else copyEarlier(readLittleEndian(reader.take(kind === 2 ? 2 : 4)), (tag >>> 2) + 1);
  }
  if (at !== output.length) throw new DamagedBytes(fileOffset, 'a compressed block has another length');
  return output;
};

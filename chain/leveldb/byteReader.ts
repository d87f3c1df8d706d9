// Reads the numbers and strings of LevelDB's files.

/** A file whose bytes are not what LevelDB writes. */
export class DamagedBytes extends Error {
  /** Position in the file at which the damage was found, in bytes. */
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

export interface ByteReader {
  readonly isAtEnd: boolean;
  /** @throws DamagedBytes when the number does not end, or is larger than a safe integer. */
  varint(): number;
  /** @throws DamagedBytes when there are fewer bytes. */
  take(length: number): Buffer;
}

const VARINT_BYTES_MAX = 10;

/** Reader of some bytes; `fileOffset` is where they begin in their file, for errors. */
export const createByteReader = (bytes: Buffer, fileOffset: number): ByteReader => {
  let at = 0;
  const fail = (problem: string): never => {
    throw new DamagedBytes(fileOffset + at, problem);
  };
  return {
    get isAtEnd() {
      return at >= bytes.length;
    },
    varint: () => {
      let value = 0;
      for (let read = 0; read < VARINT_BYTES_MAX && at < bytes.length; read += 1) {
        const byte = bytes[at++]!;
        value += (byte & 0x7f) * 2 ** (7 * read);
        if (byte < 0x80) return Number.isSafeInteger(value) ? value : fail('a number is too large');
      }
      return fail('a number does not end');
    },
    take: (length) => {
      if (at + length > bytes.length) fail('the data ends too early');
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
};

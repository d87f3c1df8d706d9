// Reads the numbers and strings in LevelDB's files.

/** Bytes of a file that LevelDB cannot have written. */
export class DamagedBytes extends Error {
  /** Position of the damage in the file, in bytes. */
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/** Reads from a position that moves on. */
export interface ByteReader {
  readonly isAtEnd: boolean;
  /**
   * Reads a variable-length number.
   * @throws DamagedBytes when the number does not end, or is larger than a safe integer.
   */
  varint(): number;
  /**
   * Reads `length` bytes.
   * @throws DamagedBytes when fewer are left.
   */
  take(length: number): Buffer;
}

const VARINT_BYTES_MAX = 10;

/** A reader of `bytes`; `fileOffset` is their position in the file, for errors. */
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

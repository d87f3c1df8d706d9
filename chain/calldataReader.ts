// Reads arguments from calldata of a contract, as it follows their offsets. Refuses an offset or a count that no
// regular encoder writes.

/** Calldata that can't be read. */
export class NotReadable extends Error {}

export const WORD_BYTES = 32;
export const SELECTOR_BYTES = 4;

/** Reads one call's arguments. Every method throws `NotReadable` for what isn't within the calldata. */
export interface CalldataReader {
  /** The 32 bytes from here. */
  word(at: number): Buffer;
  /** An offset or a length. */
  number(at: number): number;
  /** Where the elements of a list of dynamic ones begin. */
  elements(at: number): number[];
  /** Bytes after their length. */
  bytes(at: number): Buffer;
  /** Bytes read so far, each as often as it was read. */
  readonly bytesRead: number;
}

/**
 * Creates a reader of the arguments of one call, with lists of at most `elementsMax`. It reads `bytesMax` bytes in all:
 * offsets may name one place often, so that short calldata stand for a list of any size.
 */
export const createCalldataReader = (
  data: Uint8Array,
  elementsMax: number,
  bytesMax = Number.POSITIVE_INFINITY,
): CalldataReader => {
  const all = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let bytesRead = 0;
  const slice = (at: number, length: number): Buffer => {
    if (at + length > all.length || bytesRead + length > bytesMax) throw new NotReadable();
    bytesRead += length;
    return all.subarray(at, at + length);
  };
  const word = (at: number): Buffer => slice(at, WORD_BYTES);
  // Below 2^32, as in all calldata that fits a transaction.
  const number = (at: number): number => {
    const value = word(at);
    if (value.subarray(0, WORD_BYTES - 4).some((byte) => byte !== 0)) throw new NotReadable();
    return value.readUInt32BE(WORD_BYTES - 4);
  };
  // The length of a list, then the offsets of its elements, counted from the first offset.
  const elements = (at: number): number[] => {
    const length = number(at);
    if (length > elementsMax) throw new NotReadable();
    const first = at + WORD_BYTES;
    return Array.from({ length }, (_, index) => first + number(first + index * WORD_BYTES));
  };
  return {
    word,
    number,
    elements,
    bytes: (at) => slice(at + WORD_BYTES, number(at)),
    get bytesRead() {
      return bytesRead;
    },
  };
};

/** What `read` returns; undefined if it finds calldata that can't be read. */
export const tryRead = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
};

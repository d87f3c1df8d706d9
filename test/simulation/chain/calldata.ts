// Reads calldata as Solidity's decoder does: it reads each part when the contract's code uses it, and reverts without
// data where the part is out of bounds. Offsets that point backwards, which no encoder writes, are out of bounds here.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';

/** The execution reverts, with this data. */
export class Reverted extends Error {
  readonly data: Hex;

  constructor(data: Hex = '0x') {
    super('execution reverted');
    this.data = data;
  }
}

/** Bytes of one word of the ABI. */
export const WORD = 32;
const SELECTOR_BYTES = 4;
const ADDRESS_PADDING = 12;

/** Typed reads of calldata. Positions count from its first byte. */
export interface Calldata {
  /** Position of the first argument. */
  readonly start: number;
  bytes32(at: number): Uint8Array;
  /** Lower-case. */
  address(at: number): Hex;
  /** An unsigned number of at most 32 bits. */
  uint32(at: number): number;
  /** Byte string whose offset, counted from `base`, is at `at`. */
  bytes(base: number, at: number): Uint8Array;
  /** Positions of the elements of a list of dynamic elements whose offset, counted from `base`, is at `at`. */
  elements(base: number, at: number): readonly CalldataElement[];
  /** The words of a `bytes32[]` whose offset, counted from `base`, is at `at`. */
  words(base: number, at: number): Uint8Array[];
  /** Reverts unless this many words of arguments are there. */
  requireWords(count: number): void;
}

/** Position of an element with at least `words` words: read when the contract's code reads it. */
export type CalldataElement = (words: number) => number;

const isZero = (bytes: Buffer, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) if (bytes[at] !== 0) return false;
  return true;
};

const createBounds = (bytes: Buffer) => {
  const require = (condition: boolean): void => {
    if (!condition) throw new Reverted();
  };
  const uint32 = (at: number): number => {
    require(at + WORD <= bytes.length && isZero(bytes, at, at + WORD - 4));
    return bytes.readUInt32BE(at + WORD - 4);
  };
  // Position of the content behind a length, and that length; `unit` are the bytes of one element.
  const list = (base: number, at: number, unit: number): { start: number; length: number } => {
    const head = base + uint32(at);
    const length = uint32(head);
    require(head + WORD + length * unit <= bytes.length);
    return { start: head + WORD, length };
  };
  return { require, uint32, list };
};

/** Reads of this calldata, which begins with the selector. */
export const createCalldata = (data: Uint8Array): Calldata => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const { require, uint32, list } = createBounds(bytes);
  const bytes32 = (at: number): Uint8Array => {
    require(at + WORD <= bytes.length);
    return bytes.subarray(at, at + WORD);
  };
  return {
    start: SELECTOR_BYTES,
    bytes32,
    uint32,
    address: (at) => {
      require(at + WORD <= bytes.length && isZero(bytes, at, at + ADDRESS_PADDING));
      return toHex(bytes.subarray(at + ADDRESS_PADDING, at + WORD));
    },
    bytes: (base, at) => {
      const { start, length } = list(base, at, 1);
      return bytes.subarray(start, start + length);
    },
    elements: (base, at) => {
      const { start, length } = list(base, at, WORD);
      return Array.from({ length }, (_, index) => (words: number) => {
        const element = start + uint32(start + index * WORD);
        require(element + words * WORD <= bytes.length);
        return element;
      });
    },
    words: (base, at) => {
      const { start, length } = list(base, at, WORD);
      return Array.from({ length }, (_, index) => bytes32(start + index * WORD));
    },
    requireWords: (count) => require(bytes.length >= SELECTOR_BYTES + count * WORD),
  };
};

// The rows of posting lists: up to 255 numbers of a chunk as 16-bit numbers, more of them as a bitmap. A row depends
// only on the set, not on the order of the changes that led to it, so that a rebuilt index is identical.
import { type Bits, clearBit, countBits, createBits, intersect, lowsOf, setBit, subtract } from './bits.ts';

const TAG_NUMBERS = 1;
const TAG_BITMAP = 2;
/** A larger set is smaller as a bitmap. */
const NUMBERS_MAX = 255;

/** The numbers of one chunk while they change: as an ascending array while there are few, else as a bitmap. */
export type Posting = { lows: number[]; bits: undefined } | { lows: undefined; bits: Bits };

const toBits = (lows: readonly number[]): Bits => {
  const bits = createBits();
  for (const low of lows) setBit(bits, low);
  return bits;
};

const decodeLows = (row: Uint8Array): number[] => {
  const lows: number[] = [];
  for (let at = 1; at < row.length; at += 2) lows.push(row[at]! | (row[at + 1]! << 8));
  return lows;
};

const decodeBitmap = (row: Uint8Array): Bits => {
  const bits = createBits();
  new Uint8Array(bits.buffer).set(row.subarray(1));
  return bits;
};

/** The set that a row contains, for changes; an empty set without a row. */
export const openPosting = (row: Uint8Array | undefined): Posting => {
  if (row === undefined) return { lows: [], bits: undefined };
  return row[0] === TAG_NUMBERS
    ? { lows: decodeLows(row), bits: undefined }
    : { lows: undefined, bits: decodeBitmap(row) };
};

/** The set that a row contains, as a new bitmap. */
export const decodePosting = (row: Uint8Array): Bits =>
  row[0] === TAG_NUMBERS ? toBits(decodeLows(row)) : decodeBitmap(row);

/** Keeps in `bits` only what the row's set contains too; nothing without a row. */
export const intersectPosting = (bits: Bits, row: Uint8Array | undefined): void => {
  if (row === undefined) bits.fill(0);
  else if (row[0] === TAG_NUMBERS) intersect(bits, decodePosting(row));
  else {
    const bytes = new Uint8Array(bits.buffer);
    for (let at = 0; at < bytes.length; at += 1) bytes[at]! &= row[at + 1]!;
  }
};

/** Removes from `bits` what the row's set contains. */
export const subtractPosting = (bits: Bits, row: Uint8Array | undefined): void => {
  if (row !== undefined) subtract(bits, decodePosting(row));
};

const widen = (posting: Posting): Bits => {
  const bits = posting.bits ?? toBits(posting.lows);
  Object.assign(posting, { lows: undefined, bits });
  return bits;
};

/** Adds a number to the set or removes it. */
export const changePosting = (posting: Posting, low: number, isIn: boolean): void => {
  const { lows } = posting;
  // Nearly all numbers come in ascending order and are appended.
  if (lows !== undefined && isIn && lows.length < NUMBERS_MAX && low > (lows.at(-1) ?? -1)) lows.push(low);
  else (isIn ? setBit : clearBit)(widen(posting), low);
};

const encodeLows = (lows: readonly number[]): Uint8Array => {
  const row = new Uint8Array(1 + 2 * lows.length);
  row[0] = TAG_NUMBERS;
  let at = 1;
  for (const low of lows) {
    row[at] = low & 0xff;
    row[at + 1] = low >>> 8;
    at += 2;
  }
  return row;
};

const encodeBits = (bits: Bits): Uint8Array => {
  if (countBits(bits) <= NUMBERS_MAX) return encodeLows(lowsOf(bits));
  const row = new Uint8Array(1 + bits.byteLength);
  row[0] = TAG_BITMAP;
  row.set(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength), 1);
  return row;
};

/** The row of a set; undefined if the set is empty. */
export const encodePosting = (posting: Posting): Uint8Array | undefined => {
  const row = posting.bits === undefined ? encodeLows(posting.lows) : encodeBits(posting.bits);
  return row.length === 1 ? undefined : row;
};

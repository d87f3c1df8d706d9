// The rows of posting lists: up to 255 numbers of a chunk as 16-bit numbers, more of them as a bitmap. A row depends
// only on the set, not on the order of the changes that led to it, so that a rebuilt index is identical.
import { type Bits, countBits, createBits, intersect, lowsOf, setBit, subtract } from './bits.ts';

const TAG_NUMBERS = 1;
const TAG_BITMAP = 2;
/** A larger set is smaller as a bitmap. */
const NUMBERS_MAX = 255;

/** The numbers of one chunk while they change. Nearly all come in ascending order, and are appended to the row. */
export interface Posting {
  /** The row before the changes, with few numbers; it must not be changed. Undefined is the empty set. */
  readonly stored: Uint8Array | undefined;
  /** The numbers after those of the row, ascending. */
  readonly appended: number[];
  /** The highest number; -1 in an empty set. */
  last: number;
  /** The row of a bitmap with all numbers, once there are many or one didn't come in order. */
  bitmap: Uint8Array | undefined;
  /** Whether the bitmap may have so few numbers that the row must not be a bitmap. */
  isCountUnknown: boolean;
}

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
  if (row === undefined) return { stored: row, appended: [], last: -1, bitmap: undefined, isCountUnknown: false };
  if (row[0] === TAG_NUMBERS) {
    const last = row[row.length - 2]! | (row[row.length - 1]! << 8);
    return { stored: row, appended: [], last, bitmap: undefined, isCountUnknown: false };
  }
  return { stored: undefined, appended: [], last: -1, bitmap: new Uint8Array(row), isCountUnknown: false };
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

const bytesOf = (bits: Bits): Uint8Array => new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength);

const toBitmapRow = (bits: Bits): Uint8Array => {
  const row = new Uint8Array(1 + bits.byteLength);
  row[0] = TAG_BITMAP;
  row.set(bytesOf(bits), 1);
  return row;
};

const lowsOfPosting = ({ stored, appended }: Posting): number[] =>
  stored === undefined ? appended : [...decodeLows(stored), ...appended];

const widen = (posting: Posting): Uint8Array => {
  if (posting.bitmap !== undefined) return posting.bitmap;
  posting.bitmap = toBitmapRow(toBits(lowsOfPosting(posting)));
  posting.isCountUnknown = true;
  return posting.bitmap;
};

const countLows = ({ stored, appended }: Posting): number =>
  (stored === undefined ? 0 : (stored.length - 1) / 2) + appended.length;

const changeBitmap = (posting: Posting, low: number, isIn: boolean): void => {
  const bitmap = widen(posting);
  const at = 1 + (low >>> 3);
  if (isIn) bitmap[at]! |= 1 << (low & 7);
  else {
    bitmap[at]! &= ~(1 << (low & 7));
    posting.isCountUnknown = true;
  }
};

/** Adds a number to the set or removes it. */
export const changePosting = (posting: Posting, low: number, isIn: boolean): void => {
  const isAppended = isIn && posting.bitmap === undefined && low > posting.last && countLows(posting) < NUMBERS_MAX;
  if (!isAppended) changeBitmap(posting, low, isIn);
  else {
    posting.appended.push(low);
    posting.last = low;
  }
};

const appendLows = (stored: Uint8Array | undefined, lows: readonly number[]): Uint8Array => {
  let at = stored?.length ?? 1;
  const row = new Uint8Array(at + 2 * lows.length);
  row[0] = TAG_NUMBERS;
  if (stored !== undefined) row.set(stored);
  for (const low of lows) {
    row[at] = low & 0xff;
    row[at + 1] = low >>> 8;
    at += 2;
  }
  return row;
};

const encodeCounted = (bitmap: Uint8Array): Uint8Array => {
  const bits = decodeBitmap(bitmap);
  return countBits(bits) <= NUMBERS_MAX ? appendLows(undefined, lowsOf(bits)) : bitmap;
};

/** The row of a set; undefined if the set is empty. The set must not be changed afterwards. */
export const encodePosting = ({ stored, appended, bitmap, isCountUnknown }: Posting): Uint8Array | undefined => {
  if (bitmap !== undefined && !isCountUnknown) return bitmap;
  const row = bitmap === undefined ? appendLows(stored, appended) : encodeCounted(bitmap);
  return row.length === 1 ? undefined : row;
};

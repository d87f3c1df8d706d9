// Sets of the numbers of one chunk, as bitmaps: bit n of 128 words is set if the set contains the number whose low 12
// bits are n. Posting lists are stored as such sets, and queries are computed with them.

const CHUNK_BITS = 12;
/** Numbers in one chunk. */
export const CHUNK_NUMBERS = 1 << CHUNK_BITS;
const WORDS = CHUNK_NUMBERS / 32;

/** Which numbers of one chunk are in a set. */
export type Bits = Uint32Array;

/** The chunk that contains a number. */
export const toChunk = (number: number): number => number >>> CHUNK_BITS;
/** The low part of a number: its offset in its chunk. */
export const toLow = (number: number): number => number & (CHUNK_NUMBERS - 1);
/** The number at an offset of a chunk. */
export const toNumber = (chunk: number, low: number): number => chunk * CHUNK_NUMBERS + low;

/** An empty set. */
export const createBits = (): Bits => new Uint32Array(WORDS);

/** Adds a low part to the set. */
export const setBit = (bits: Bits, low: number): void => {
  bits[low >>> 5]! |= 1 << (low & 31);
};

/** Whether the set contains a low part. */
export const hasBit = (bits: Bits, low: number): boolean => (bits[low >>> 5]! & (1 << (low & 31))) !== 0;

/** Keeps in `bits` only what `others` contains too. Undefined is the empty set. */
export const intersect = (bits: Bits, others: Bits | undefined): void => {
  if (others === undefined) bits.fill(0);
  else for (let word = 0; word < WORDS; word += 1) bits[word]! &= others[word]!;
};

/** Removes from `bits` what `others` contains. Undefined is the empty set. */
export const subtract = (bits: Bits, others: Bits | undefined): void => {
  if (others !== undefined) for (let word = 0; word < WORDS; word += 1) bits[word]! &= ~others[word]!;
};

/** Adds to `bits` what `others` contains. */
export const unite = (bits: Bits, others: Bits): void => {
  for (let word = 0; word < WORDS; word += 1) bits[word]! |= others[word]!;
};

const countWord = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
};

/** The size of the set. */
export const countBits = (bits: Bits): number => {
  let count = 0;
  for (let word = 0; word < WORDS; word += 1) count += countWord(bits[word]!);
  return count;
};

/** The low parts in the set, ascending. */
export const lowsOf = (bits: Bits): number[] => {
  const lows: number[] = [];
  filterBits(bits, (low) => lows.push(low) > 0);
  return lows;
};

/** The highest low parts in the set, descending: at most `countMax`, and only those less than `below`. */
export const newestLows = (bits: Bits, countMax: number, below = CHUNK_NUMBERS): number[] => {
  const lows: number[] = [];
  for (let word = Math.min(WORDS, Math.ceil(below / 32)) - 1; word >= 0; word -= 1) {
    for (let rest = bits[word]!; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest);
      rest &= ~(1 << bit);
      if (word * 32 + bit >= below) continue;
      if (lows.length >= countMax) return lows;
      lows.push(word * 32 + bit);
    }
  }
  return lows;
};

/** Keeps in `bits` only the low parts that meet the condition, which is evaluated in ascending order. */
export const filterBits = (bits: Bits, isKept: (low: number) => boolean): void => {
  for (let word = 0; word < WORDS; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      if (!isKept(word * 32 + bit)) bits[word]! &= ~(1 << bit);
    }
  }
};

/** Whether the set contains a low part of at least `from` and less than `to`, both multiples of 32. */
export const hasAny = (bits: Bits, from = 0, to = CHUNK_NUMBERS): boolean => {
  for (let word = from / 32; word < to / 32; word += 1) if (bits[word] !== 0) return true;
  return false;
};

// The bits below one of a word.
const maskBelow = (bit: number): number => (bit >= 32 ? -1 : bit <= 0 ? 0 : (1 << bit) - 1);

/** Keeps in `bits` only the numbers that are at least `from` and less than `to`. */
export const keepRange = (bits: Bits, chunk: number, from: number, to: number): void => {
  const first = Math.max(0, from - chunk * CHUNK_NUMBERS);
  const end = Math.min(CHUNK_NUMBERS, to - chunk * CHUNK_NUMBERS);
  if (first === 0 && end === CHUNK_NUMBERS) return;
  for (let word = 0; word < WORDS; word += 1) {
    const at = word * 32;
    if (at + 32 <= first || at >= end) bits[word] = 0;
    else bits[word]! &= maskBelow(end - at) & ~maskBelow(first - at);
  }
};

/** The set of all numbers of the chunk that are less than `end`. */
export const allBelow = (chunk: number, end: number): Bits => {
  const bits = createBits().fill(0xffff_ffff);
  keepRange(bits, chunk, 0, end);
  return bits;
};

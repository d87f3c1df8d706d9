// Sets of numbers, chunk by chunk: the low 12 bits of up to 4,096 numbers as 128 words. What lists are made of and answers are computed with.

const CHUNK_BITS = 12;
/** Numbers in one chunk. */
export const CHUNK_NUMBERS = 1 << CHUNK_BITS;
const WORDS = CHUNK_NUMBERS / 32;

/** Which numbers of one chunk are in a set. */
export type Bits = Uint32Array;

export const toChunk = (number: number): number => number >>> CHUNK_BITS;
export const toLow = (number: number): number => number & (CHUNK_NUMBERS - 1);
export const toNumber = (chunk: number, low: number): number => chunk * CHUNK_NUMBERS + low;

export const createBits = (): Bits => new Uint32Array(WORDS);

export const setBit = (bits: Bits, low: number): void => {
  bits[low >>> 5]! |= 1 << (low & 31);
};

export const hasBit = (bits: Bits, low: number): boolean => (bits[low >>> 5]! & (1 << (low & 31))) !== 0;

export const clearBit = (bits: Bits, low: number): void => {
  bits[low >>> 5]! &= ~(1 << (low & 31));
};

/** Keeps in `bits` what is in `others` too. */
export const intersect = (bits: Bits, others: Bits | undefined): void => {
  if (others === undefined) bits.fill(0);
  else for (let word = 0; word < WORDS; word += 1) bits[word]! &= others[word]!;
};

/** Takes out of `bits` what is in `others`. */
export const subtract = (bits: Bits, others: Bits | undefined): void => {
  if (others !== undefined) for (let word = 0; word < WORDS; word += 1) bits[word]! &= ~others[word]!;
};

/** Puts into `bits` what is in `others`. */
export const unite = (bits: Bits, others: Bits): void => {
  for (let word = 0; word < WORDS; word += 1) bits[word]! |= others[word]!;
};

const countWord = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const nibbles = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
};

export const countBits = (bits: Bits): number => {
  let count = 0;
  for (let word = 0; word < WORDS; word += 1) count += countWord(bits[word]!);
  return count;
};

/** The low numbers of the set, ascending. */
export const lowsOf = (bits: Bits): number[] => {
  const lows: number[] = [];
  filterBits(bits, (low) => lows.push(low) > 0);
  return lows;
};

/** Takes out of `bits` what the condition does not hold for; asked in ascending order. */
export const filterBits = (bits: Bits, isKept: (low: number) => boolean): void => {
  for (let word = 0; word < WORDS; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      const bit = 31 - Math.clz32(rest & -rest);
      if (!isKept(word * 32 + bit)) bits[word]! &= ~(1 << bit);
    }
  }
};

/** Whether the set has any number from `from` on and below `to`, both multiples of 32. */
export const hasAny = (bits: Bits, from = 0, to = CHUNK_NUMBERS): boolean => {
  for (let word = from / 32; word < to / 32; word += 1) if (bits[word] !== 0) return true;
  return false;
};

/** Keeps the numbers of the chunk that are at least `from` and less than `to`. */
export const keepRange = (bits: Bits, chunk: number, from: number, to: number): void => {
  const [first, end] = [from - chunk * CHUNK_NUMBERS, to - chunk * CHUNK_NUMBERS];
  if (first <= 0 && end >= CHUNK_NUMBERS) return;
  filterBits(bits, (low) => low >= first && low < end);
};

/** All numbers of the chunk that are less than `end`. */
export const allBelow = (chunk: number, end: number): Bits => {
  const bits = createBits().fill(0xffff_ffff);
  keepRange(bits, chunk, 0, end);
  return bits;
};

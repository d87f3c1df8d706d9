import { expect } from 'chai';
import fc from 'fast-check';
import * as bits from '../../../indexer/rows/bits.ts';

const lows = fc.integer({ min: 0, max: bits.CHUNK_NUMBERS - 1 });
const sets = fc.oneof(
  fc.uniqueArray(fc.oneof(lows, fc.constantFrom(0, 31, 32, 63, 4_064, 4_095)), { maxLength: 200, size: 'max' }),
  fc.constant(Array.from({ length: bits.CHUNK_NUMBERS }, (_, low) => low)),
);
const toBits = (numbers: readonly number[]): bits.Bits => {
  const set = bits.createBits();
  for (const low of numbers) bits.setBit(set, low);
  return set;
};
const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

describe('bits', () => {
  it('contain the numbers that were added and not removed', () => {
    const check = fc.property(sets, fc.array(lows), (numbers, taken) => {
      const set = toBits(numbers);
      bits.subtract(set, toBits(taken));
      const kept = sorted(new Set(numbers.filter((low) => !taken.includes(low))));
      expect(bits.lowsOf(set)).to.deep.equal(kept);
      expect(bits.countBits(set)).to.equal(kept.length);
      for (const low of [...numbers.slice(0, 9), ...taken]) expect(bits.hasBit(set, low)).to.equal(kept.includes(low));
    });
    fc.assert(check);
  });

  it('intersect, subtract and unite as sets do', () => {
    const check = fc.property(sets, sets, (a, b) => {
      const right = new Set(b);
      const results: [(set: bits.Bits, others: bits.Bits) => void, Set<number>][] = [
        [bits.intersect, new Set(a.filter((low) => right.has(low)))],
        [bits.subtract, new Set(a.filter((low) => !right.has(low)))],
        [bits.unite, new Set([...a, ...b])],
      ];
      for (const [change, wanted] of results) {
        const [set, others] = [toBits(a), toBits(b)];
        change(set, others);
        expect(bits.lowsOf(set)).to.deep.equal(sorted(wanted));
        expect(bits.lowsOf(others)).to.deep.equal(sorted(right));
      }
    });
    fc.assert(check);
  });

  it('treat a list without a row in a chunk as an empty set', () => {
    const [kept, taken] = [toBits([1, 2]), toBits([1, 2])];
    bits.intersect(kept, undefined);
    bits.subtract(taken, undefined);
    expect([bits.lowsOf(kept), bits.lowsOf(taken)]).to.deep.equal([[], [1, 2]]);
  });

  it('keep any range of numbers', () => {
    const ends = fc.integer({ min: 0, max: 5 * bits.CHUNK_NUMBERS });
    const check = fc.property(sets, fc.nat(3), ends, ends, (numbers, chunk, from, to) => {
      const set = toBits(numbers);
      bits.keepRange(set, chunk, from, to);
      const isIn = (low: number): boolean => bits.toNumber(chunk, low) >= from && bits.toNumber(chunk, low) < to;
      expect(bits.lowsOf(set)).to.deep.equal(sorted(numbers.filter(isIn)));
    });
    fc.assert(check);
  });

  it('contain their highest numbers below one', () => {
    const check = fc.property(
      sets,
      fc.nat(bits.CHUNK_NUMBERS),
      fc.nat(bits.CHUNK_NUMBERS),
      (numbers, countMax, below) => {
        const wanted = sorted(numbers.filter((low) => low < below)).reverse();
        expect(bits.newestLows(toBits(numbers), countMax, below)).to.deep.equal(wanted.slice(0, countMax));
      },
    );
    fc.assert(check);
  });

  it('compute a number from its chunk and its low part', () => {
    const numbers = fc.oneof(fc.nat(20_000), fc.constantFrom(4_095, 4_096, 2 ** 31, 2 ** 32 - 1));
    const check = fc.property(numbers, (number) => {
      expect(bits.toNumber(bits.toChunk(number), bits.toLow(number))).to.equal(number);
    });
    fc.assert(check);
  });

  it('contain all numbers of a chunk below an end', () => {
    for (const [chunk, end, count] of [
      [0, 0, 0],
      [0, 1, 1],
      [0, 4_096, 4_096],
      [1, 4_096, 0],
      [1, 4_100, 4],
      [2, 99_999, 4_096],
    ] as const) {
      expect(bits.lowsOf(bits.allBelow(chunk, end))).to.deep.equal(Array.from({ length: count }, (_, low) => low));
    }
  });
});

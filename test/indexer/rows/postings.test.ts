import { expect } from 'chai';
import fc from 'fast-check';
import { CHUNK_NUMBERS, lowsOf } from '../../../indexer/rows/bits.ts';
import { changePosting, decodePosting, encodePosting, openPosting } from '../../../indexer/rows/postings.ts';
import { runs } from '../../support/propertyRuns.ts';

const lows = fc.integer({ min: 0, max: CHUNK_NUMBERS - 1 });
const rowOf = (numbers: Iterable<number>): Uint8Array | undefined => {
  const posting = openPosting(undefined);
  for (const low of numbers) changePosting(posting, low, true);
  return encodePosting(posting);
};
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at * 3);

describe('posting', () => {
  it('depends on its set alone, not on the order of changes or on how often it was written', () => {
    const changes = fc.array(fc.tuple(fc.oneof(fc.nat(9), lows), fc.boolean(), fc.nat(9)), {
      maxLength: 600,
      size: 'max',
    });
    const check = fc.property(fc.nat(300), changes, (count, steps) => {
      const set = new Set(range(count));
      let posting = openPosting(rowOf(set));
      for (const [low, isIn, dice] of steps) {
        if (isIn) set.add(low);
        else set.delete(low);
        changePosting(posting, low, isIn);
        if (dice === 0) posting = openPosting(encodePosting(posting));
      }
      const wanted = [...set].sort((a, b) => a - b);
      const row = encodePosting(posting);
      expect(row).to.deep.equal(rowOf(wanted));
      expect(row === undefined ? [] : lowsOf(decodePosting(row))).to.deep.equal(wanted);
    });
    fc.assert(check, runs(150));
  });

  it('has no row when its set is empty', () => {
    const posting = openPosting(rowOf([7]));
    changePosting(posting, 7, false);
    expect(encodePosting(posting)).to.equal(undefined);
    expect(encodePosting(openPosting(undefined))).to.equal(undefined);
  });

  it('is never longer than a bitmap, and begins with a byte that no JSON text begins with', () => {
    for (const count of [1, 254, 255, 256, 257, 1_365]) {
      const row = rowOf(range(count))!;
      expect(row.length).to.equal(count <= 255 ? 1 + 2 * count : 513);
      expect(row[0]).to.be.lessThan(0x20);
    }
  });

  it('is the same for any order of its numbers, also where they become a bitmap', () => {
    for (const count of [1, 254, 255, 256]) {
      expect(rowOf(range(count).reverse())).to.deep.equal(rowOf(range(count)));
      expect(rowOf(range(count).flatMap((low) => [low, low]))).to.deep.equal(rowOf(range(count)));
    }
  });

  it('is not changed when the opened set changes', () => {
    const row = rowOf(range(300))!;
    const before = row.slice();
    changePosting(openPosting(row), 1, true);
    decodePosting(row).fill(0);
    expect(row).to.deep.equal(before);
  });
});

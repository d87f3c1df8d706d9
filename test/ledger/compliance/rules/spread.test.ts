import { expect } from 'chai';
import fc from 'fast-check';
import {
  DURATION_MS_MAX,
  squareRoot,
  toMoments,
  toSpread,
  toTolerated,
} from '../../../../ledger/compliance/rules/spread.ts';
import { finish } from '../../../../ledger/compliance/steps.ts';
import { runs } from '../../../support/propertyRuns.ts';

const spreadOf = (...durationsMs: readonly number[]) => finish(toSpread(Float64Array.from(durationsMs)));

describe('the spread of durations', () => {
  it('is exact for any durations', () => {
    const duration = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: DURATION_MS_MAX }));
    const check = fc.property(fc.array(duration, { minLength: 1 }), (durations) => {
      const exact = durations.map(BigInt);
      const sum = exact.reduce((a, b) => a + b, 0n);
      const squares = exact.reduce((a, b) => a + b * b, 0n);
      const count = BigInt(durations.length);
      expect(spreadOf(...durations)).to.deep.equal({
        count,
        sum,
        squares,
        squaredDeviations: count * squares - sum * sum,
      });
    });
    fc.assert(check, runs(500));
  });

  it('is exact for more of the longest durations than are summed at once', () => {
    const count = 200_000;
    const same = new Float64Array(count).fill(DURATION_MS_MAX);
    expect(finish(toSpread(same))).to.deep.equal({
      count: BigInt(count),
      sum: BigInt(count) * BigInt(DURATION_MS_MAX),
      squares: BigInt(count) * BigInt(DURATION_MS_MAX) ** 2n,
      squaredDeviations: 0n,
    });
  });

  it('has the mean and the deviation of the complete population', () => {
    expect(toMoments(spreadOf(2, 4, 4, 4, 5, 5, 7, 9))).to.deep.equal({ meanMs: 5, deviationMs: 2 });
  });

  it('tolerates durations at exactly the given number of deviations from the mean', () => {
    const spread = spreadOf(2, 4, 4, 4, 5, 5, 7, 9);
    expect(toTolerated(spread, 0)).to.deep.equal({ shortestMs: 5, longestMs: 5 });
    expect(toTolerated(spread, 1)).to.deep.equal({ shortestMs: 3, longestMs: 7 });
    expect(toTolerated(spread, 0.9999999999999999)).to.deep.equal({ shortestMs: 4, longestMs: 6 });
    expect(toTolerated(spread, 1.4999)).to.deep.equal({ shortestMs: 3, longestMs: 7 });
    expect(toTolerated(spread, 2.5)).to.deep.equal({ shortestMs: 0, longestMs: 10 });
  });

  it('tolerates decimal parts of a deviation as they are written', () => {
    // Deviation 10, of which 1.1 are 11: as a double, 1.1 is more than eleven tenths, and 0.7 less than seven.
    const spread = spreadOf(90, 110);
    expect(toTolerated(spread, 1.1)).to.deep.equal({ shortestMs: 89, longestMs: 111 });
    expect(toTolerated(spread, 0.7)).to.deep.equal({ shortestMs: 93, longestMs: 107 });
  });

  it('accepts variabilities of any size', () => {
    const spread = spreadOf(90, 110);
    expect(toTolerated(spread, Number.MIN_VALUE)).to.deep.equal({ shortestMs: 100, longestMs: 100 });
    expect(toTolerated(spread, Number.MAX_VALUE).shortestMs).to.equal(0);
    expect(toTolerated(spread, Number.MAX_VALUE).longestMs).to.be.greaterThan(1e300);
    expect(toTolerated(spreadOf(90, 90), Number.MAX_VALUE)).to.deep.equal({ shortestMs: 90, longestMs: 90 });
  });
});

describe('the square root', () => {
  it('is the integer part of the root', () => {
    const value = fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.bigInt({ min: 0n, max: 2n ** 2000n }));
    const check = fc.property(value, (square) => {
      const root = squareRoot(square);
      expect(root * root <= square && (root + 1n) * (root + 1n) > square).to.equal(true);
      expect(squareRoot(square * square)).to.equal(square);
    });
    fc.assert(check, runs(500));
  });
});

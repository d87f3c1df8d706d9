import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { fitFreed } from './freed.ts';

describe('what a restart frees', () => {
  // Computed by hand: the means of the new processes are 10, 12 and 14, their variance is 4, and the 97.5 % quantile of
  // Student's t distribution with 2 degrees of freedom is 4.3027.
  it('has the prediction interval of one further process', () => {
    const { slope, lower, upper, points } = fitFreed([32, 32], [[9, 11], [12], [14]], 10)!;
    expect(slope).to.be.closeTo(2, 1e-9);
    expect(upper - slope).to.be.closeTo((4.3027 * Math.sqrt(4 + 4 / 3)) / 10, 1e-4);
    expect(slope - lower).to.be.closeTo(upper - slope, 1e-9);
    expect(points).to.equal(6);
  });

  it('has a wider interval where the process that served varies by more', () => {
    const { slope, upper } = fitFreed([28, 36], [[10], [12], [14]], 10)!;
    expect(upper - slope).to.be.closeTo((4.3027 * Math.sqrt(32 + 4 / 3)) / 10, 1e-4);
  });

  it('is in its interval in about 95 of 100 cases', () => {
    const random = createRandom(9);
    const toNormal = (): number => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
    // Processes differ; the samples of one don't.
    const sampleProcess = (mean: number): number[] => new Array<number>(15).fill(mean + toNormal());
    const isInside = (): boolean => {
      const { lower, upper } = fitFreed(sampleProcess(30), [0, 0, 0].map(sampleProcess), 10)!;
      return lower <= 3 && 3 <= upper;
    };
    expect(Array.from({ length: 2_000 }, isInside).filter(Boolean).length).to.be.within(1_870, 1_930);
  });

  it('needs two new processes, values of each, and something that was served', () => {
    expect(fitFreed([1], [[1]], 10)).to.equal(undefined);
    expect(fitFreed([1], [[1], []], 10)).to.equal(undefined);
    expect(fitFreed([], [[1], [2]], 10)).to.equal(undefined);
    expect(fitFreed([1], [[1], [2]], 0)).to.equal(undefined);
    expect(fitFreed([1], [[1], [2]], 10)).not.to.equal(undefined);
  });
});

import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { fitSlope, type Point, type Slope } from './slope.ts';

const toPoints = (runs: number, length: number, toY: (run: number, x: number) => number): Point[] =>
  Array.from({ length: runs * length }, (_, at) => {
    const run = Math.floor(at / length);
    return { run, x: at, y: toY(run, at) };
  });

// Of points that are enough for an interval.
const fitEnough = (points: readonly Point[]): Slope => fitSlope(points)!;

describe('the slope of a quantity over several runs', () => {
  // Computed by hand: the sums of squares of the centred values are 10 (x), 9.5 (x · y) and 4.725 (residuals); the
  // 97.5 % quantile of Student's t distribution with 5 degrees of freedom is 2.5706.
  it('is that of a linear model with an intercept for each run', () => {
    const y = [1, 3, 2, 5, 11, 12, 14, 13];
    const points = y.map((value, at) => ({ run: Math.floor(at / 4), x: at < 4 ? at + 1 : at + 2, y: value }));
    const { slope, lower, upper } = fitEnough(points);
    expect(slope).to.be.closeTo(0.95, 1e-9);
    expect(upper - slope).to.be.closeTo(2.5706 * Math.sqrt(4.725 / 5 / 10), 1e-4);
    expect(slope - lower).to.be.closeTo(upper - slope, 1e-9);
  });

  it('does not contain the difference between two runs', () => {
    const { slope } = fitEnough(toPoints(5, 20, (run, x) => 3 * x - 1_000 * run));
    expect(slope).to.be.closeTo(3, 1e-9);
  });

  it('has a wider interval when consecutive samples are alike', () => {
    const random = createRandom(1);
    const independent = toPoints(1, 200, () => random() - 0.5);
    let sum = 0;
    const alike = independent.map((point) => {
      sum = 0.9 * sum + point.y;
      return { ...point, y: sum };
    });
    const scale = Math.sqrt(1 - 0.9 ** 2);
    const width = ({ lower, upper }: { lower: number; upper: number }): number => upper - lower;
    const widened = width(fitEnough(alike)) * scale;
    expect(widened / width(fitEnough(independent))).to.be.within(2.5, 7);
  });

  it('is in its interval in about 95 of 100 cases', () => {
    const random = createRandom(7);
    const isInside = (): boolean => {
      const { lower, upper } = fitEnough(toPoints(3, 30, (_, x) => 2 * x + 50 * (random() + random() + random())));
      return lower <= 2 && 2 <= upper;
    };
    const inside = Array.from({ length: 1_000 }, isInside).filter(Boolean).length;
    expect(inside).to.be.within(930, 985);
  });

  it('needs more samples than runs', () => {
    expect(fitSlope(toPoints(3, 1, () => 1))).to.equal(undefined);
    expect(fitSlope([])).to.equal(undefined);
    expect(fitSlope(toPoints(1, 3, () => 1))).to.deep.include({ slope: 0, points: 3 });
  });

  it('needs samples at different places', () => {
    expect(fitSlope(toPoints(1, 60, (_, x) => x).map((point) => ({ ...point, x: 7 })))).to.equal(undefined);
  });
});

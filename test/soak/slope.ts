// The slope of a quantity over several runs of a process, with its uncertainty: one common slope, and an intercept for
// each run, because a restart sets memory and descriptors back.
import jStat from 'jstat';

/** One measurement: `y` at `x`, in run number `run`. Points are in the order of their measurement. */
export interface Point {
  readonly run: number;
  readonly x: number;
  readonly y: number;
}

/** A slope in units of y for each unit of x, and the 95 % interval of it. */
export interface Slope {
  readonly slope: number;
  readonly lower: number;
  readonly upper: number;
  /** Number of measurements. */
  readonly points: number;
}

const CONFIDENCE = 0.95;

/** The quantile of Student's t distribution that a standard error is multiplied by for a two-sided 95 % interval. */
export const toStudentFactor = (dof: number): number => jStat.studentt.inv((1 + CONFIDENCE) / 2, dof);

// Beyond this the residuals have nearly one degree of freedom, and the interval has no bound.
const AUTOCORRELATION_MAX = 0.99;

/** The arithmetic mean; NaN of no values. */
export const toMean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const centre = (points: readonly Point[]): Point[] => {
  const meanX = toMean(points.map(({ x }) => x));
  const meanY = toMean(points.map(({ y }) => y));
  return points.map(({ run, x, y }) => ({ run, x: x - meanX, y: y - meanY }));
};

const sumOf = <T>(values: readonly T[], toNumber: (value: T, at: number) => number): number =>
  values.reduce((sum, value, at) => sum + toNumber(value, at), 0);

interface Residual {
  readonly run: number;
  readonly value: number;
}

// Of consecutive residuals of one run. Negative values would only narrow the interval.
const toAutocorrelation = (residuals: readonly Residual[]): number => {
  const lagged = sumOf(residuals, ({ run, value }, at) => {
    const before = residuals[at - 1];
    return before?.run === run ? before.value * value : 0;
  });
  const squares = sumOf(residuals, ({ value }) => value ** 2);
  return squares === 0 ? 0 : Math.min(AUTOCORRELATION_MAX, Math.max(0, lagged / squares));
};

/**
 * Fits y = slope · x + intercept of the run, by least squares. Samples that follow each other are alike (memory falls
 * at a garbage collection and rises until the next), so they count as fewer: as n · (1 - r) / (1 + r) of them, where r
 * is the autocorrelation of the residuals at lag 1. Undefined: there are too few points for an interval, or x is the
 * same in all points of each run.
 */
export const fitSlope = (points: readonly Point[]): Slope | undefined => {
  const runs = [...Map.groupBy(points, ({ run }) => run).values()];
  const centred = runs.flatMap(centre);
  const spreadX = sumOf(centred, ({ x }) => x ** 2);
  const dof = points.length - runs.length - 1;
  if (dof < 1 || spreadX === 0) return undefined;
  const slope = sumOf(centred, ({ x, y }) => x * y) / spreadX;
  const residuals = centred.map(({ run, x, y }) => ({ run, value: y - slope * x }));
  const correlation = toAutocorrelation(residuals);
  const effectiveDof = Math.max(1, (dof * (1 - correlation)) / (1 + correlation));
  const standardError = Math.sqrt(sumOf(residuals, ({ value }) => value ** 2) / effectiveDof / spreadX);
  const margin = toStudentFactor(effectiveDof) * standardError;
  return { slope, lower: slope - margin, upper: slope + margin, points: points.length };
};

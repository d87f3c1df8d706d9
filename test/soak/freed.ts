// What a restart frees: a process that served a run is compared with new processes, with its uncertainty.
import { type Slope, toMean, toStudentFactor } from './slope.ts';

// Of single values, not of their mean; 0 of one value.
const toVariance = (values: readonly number[]): number => {
  const mean = toMean(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares / Math.max(1, values.length - 1);
};

/**
 * The mean of the values of a process that served `served` events or minutes, minus the mean of new processes, divided
 * by `served`. The 95 % interval is the prediction interval of one further process: Student's t with n - 1 degrees of
 * freedom, times the root of v + w / n, where w is the variance between the means of the n new processes. v is the
 * variance of the process that served: w, or that of its values if that is larger; they are alike, so they count as one
 * value. Undefined: there are fewer than two new processes, a process has no values, or nothing was served.
 */
export const fitFreed = (
  ended: readonly number[],
  restarted: readonly (readonly number[])[],
  served: number,
): Slope | undefined => {
  const processes = [ended, ...restarted];
  if (restarted.length < 2 || served <= 0 || processes.some(({ length }) => length === 0)) return undefined;
  const means = restarted.map(toMean);
  const between = toVariance(means);
  const variance = Math.max(between, toVariance(ended)) + between / means.length;
  const margin = (toStudentFactor(means.length - 1) * Math.sqrt(variance)) / served;
  const slope = (toMean(ended) - toMean(means)) / served;
  const points = processes.reduce((sum, { length }) => sum + length, 0);
  return { slope, lower: slope - margin, upper: slope + margin, points };
};

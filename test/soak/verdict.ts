// What a slope with its confidence interval decides about its bound.
import type { BoundedSlope } from './growth.ts';

/**
 * Flat: the complete interval lies below the bound. Not flat: it lies above. Not decided: it contains the bound, or the
 * soak test was too short for an interval.
 */
export type Verdict = 'flat' | 'not flat' | 'not decided';

/** The verdict on a slope; undefined for one without a bound, which is only shown. */
export const toVerdict = ({ fit, bound, isLongEnough }: BoundedSlope): Verdict | undefined => {
  if (bound === undefined) return undefined;
  if (fit === undefined || !isLongEnough) return 'not decided';
  if (fit.upper < bound) return 'flat';
  return fit.lower > bound ? 'not flat' : 'not decided';
};

// For a slope near its bound, of which a narrow interval contains the bound too.
const LENGTHENING_MIN = 2;

/**
 * Minutes that a soak test needs to decide about a slope that this one, of `minutes`, did not decide about. Half of the
 * interval's width is then half of the bound, so that a slope of 0 is found flat in 97.5 % of the tests. An estimate,
 * for the same noise.
 */
export const toMinutesNeeded = ({ fit, bound, minutesMin, narrowing }: BoundedSlope, minutes: number): number => {
  if (fit === undefined || bound === undefined) return Math.ceil(minutesMin);
  const lengthening = ((fit.upper - fit.lower) / bound) ** (1 / narrowing);
  return Math.ceil(Math.max(minutesMin, minutes * Math.max(LENGTHENING_MIN, lengthening)));
};

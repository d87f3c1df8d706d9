// Mean and standard deviation of durations in whole milliseconds, without rounding: sums are exact, and what is tolerated are two whole
// numbers, so that a duration exactly at the edge is never judged by the last bit of a double.

import type { Steps } from '../steps.ts';

/** Of `count` durations: their sum, that of their squares, and the square of `count` standard deviations. */
export interface Spread {
  readonly count: bigint;
  readonly sum: bigint;
  readonly squares: bigint;
  readonly squaredDeviations: bigint;
}

// Durations are taken apart into three limbs of 17 bits, so that the products of 2^16 of them add up below 2^53.
const LIMB = 2 ** 17;
const CHUNK = 2 ** 16;

/** Longest duration, in milliseconds, that can be summed: 71,000 years. */
export const DURATION_MS_MAX = LIMB ** 3 - 1;

// What limbs, the lowest first, stand for.
const join = (...limbs: readonly number[]): bigint =>
  limbs.reduceRight((joined, limb) => joined * BigInt(LIMB) + BigInt(limb), 0n);

const sumChunk = (durationsMs: Float64Array): { sum: bigint; squares: bigint } => {
  let [low, middle, high] = [0, 0, 0];
  let [lowLow, lowMiddle, lowHighMiddle, middleHigh, highHigh] = [0, 0, 0, 0, 0];
  for (let index = 0; index < durationsMs.length; index += 1) {
    const duration = durationsMs[index]!;
    const c = Math.floor(duration / LIMB ** 2);
    const rest = duration - c * LIMB ** 2;
    const b = Math.floor(rest / LIMB);
    const a = rest - b * LIMB;
    low += a;
    middle += b;
    high += c;
    lowLow += a * a;
    lowMiddle += 2 * a * b;
    lowHighMiddle += 2 * a * c + b * b;
    middleHigh += 2 * b * c;
    highHigh += c * c;
  }
  return { sum: join(low, middle, high), squares: join(lowLow, lowMiddle, lowHighMiddle, middleHigh, highHigh) };
};

/** The spread of durations, each a whole number of milliseconds from 0 to `DURATION_MS_MAX`. */
export function* toSpread(durationsMs: Float64Array): Steps<Spread> {
  const count = BigInt(durationsMs.length);
  let [sum, squares] = [0n, 0n];
  for (let from = 0; from < durationsMs.length; from += CHUNK) {
    const chunk = sumChunk(durationsMs.subarray(from, from + CHUNK));
    sum += chunk.sum;
    squares += chunk.squares;
    yield;
  }
  return { count, sum, squares, squaredDeviations: count * squares - sum * sum };
}

const bitsOf = (value: bigint): number => value.toString(16).length * 4;

/** The whole part of a square root, of a value that isn't negative. */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(bitsOf(value) / 2));
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
};

// What the shortest decimal text of a double says: 1.1 is eleven tenths here.
const toFraction = (value: number): { numerator: bigint; denominator: bigint } => {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return scale < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-scale) }
    : { numerator: digits * 10n ** BigInt(scale), denominator: 1n };
};

/** Shortest and longest duration that are near enough to the mean, in whole milliseconds. */
export interface Tolerated {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/** What is at most `variability` (finite, not negative) standard deviations from the mean. */
export const toTolerated = ({ count, sum, squaredDeviations }: Spread, variability: number): Tolerated => {
  const { numerator, denominator } = toFraction(variability);
  // |x - sum / count| <= variability * deviation, with both sides times `count`, squared: a whole number is on the left.
  const reach = squareRoot((numerator ** 2n * squaredDeviations) / denominator ** 2n);
  const shortest = sum > reach ? (sum - reach + count - 1n) / count : 0n;
  return { shortestMs: Number(shortest), longestMs: Number((sum + reach) / count) };
};

/** Mean and standard deviation in milliseconds, the nearest doubles or next to them. */
export const toMoments = ({ count, sum, squaredDeviations }: Spread): { meanMs: number; deviationMs: number } => ({
  meanMs: Number(sum) / Number(count),
  deviationMs: Math.sqrt(Number(squaredDeviations)) / Number(count),
});

/** Mean and standard deviation, in milliseconds cut to whole ones. */
export const toWholeMoments = ({ count, sum, squaredDeviations }: Spread): { meanMs: number; deviationMs: number } => ({
  meanMs: Number(sum / count),
  deviationMs: Number(squareRoot(squaredDeviations) / count),
});

// COMPLIANCE_DYNAMIC_TOLERANCE: no answer took much longer or shorter than the others did (decisions.md point 46).
import type { PolicyContent } from '../policyRecord.ts';
import { MS_PER_SECOND, toGoDuration, toMs } from './duration.ts';
import { type Pairing, toDeciding, toPairTypes } from './pairs.ts';
import { type Spread, type Tolerated, toMoments, toSpread, toTolerated, toWholeMoments } from './spread.ts';
import type { Subject } from './subject.ts';
import type { DynamicToleranceEvidence, Verdict } from './verdict.ts';

const PAIRS_MIN = 2;

interface Window {
  /** Of the pairs in it. */
  readonly indexes: Int32Array;
  /** Of the same pairs, in milliseconds. */
  readonly durationsMs: Float64Array;
}

const findClosed = <Ref>({ answers, elapsedMs }: Pairing<Ref>): Window => {
  const indexes = new Int32Array(answers.length);
  const durationsMs = new Float64Array(answers.length);
  let pairs = 0;
  for (let index = 0; index < answers.length; index += 1) {
    if (answers[index] === undefined) continue;
    indexes[pairs] = index;
    durationsMs[pairs] = elapsedMs[index]!;
    pairs += 1;
  }
  return { indexes: indexes.subarray(0, pairs), durationsMs: durationsMs.subarray(0, pairs) };
};

/** Place in the window of the pair farthest from the mean; of several, of the one that opened first. */
const farthestOf = (durationsMs: Float64Array, { count, sum }: Spread): number => {
  let [shortest, longest] = [0, 0];
  for (let place = 1; place < durationsMs.length; place += 1) {
    if (durationsMs[place]! < durationsMs[shortest]!) shortest = place;
    if (durationsMs[place]! > durationsMs[longest]!) longest = place;
  }
  const below = sum - count * BigInt(durationsMs[shortest]!);
  const above = count * BigInt(durationsMs[longest]!) - sum;
  if (below === above) return Math.min(shortest, longest);
  return below > above ? shortest : longest;
};

const toReason = (elapsedMs: number, spread: Spread, variability: number): string => {
  const { meanMs, deviationMs } = toWholeMoments(spread);
  const tolerance = `${variability} times the standard deviation ${toGoDuration(deviationMs)}`;
  return `Duration ${toGoDuration(elapsedMs)} differs from mean ${toGoDuration(meanMs)} by more than ${tolerance}`;
};

// Indexes of the pairs that are too far from the mean: none, where the farthest isn't.
const findExceeding = (
  { indexes, durationsMs }: Window,
  farthestMs: number,
  { shortestMs, longestMs }: Tolerated,
): number[] => {
  const exceeding: number[] = [];
  if (farthestMs >= shortestMs && farthestMs <= longestMs) return exceeding;
  for (let place = 0; place < indexes.length; place += 1) {
    if (durationsMs[place]! < shortestMs || durationsMs[place]! > longestMs) exceeding.push(indexes[place]!);
  }
  return exceeding;
};

const judgeSpread = <Ref>(
  policy: PolicyContent,
  pairing: Pairing<Ref>,
  window: Window,
): Verdict<Ref, DynamicToleranceEvidence<Ref>> => {
  const { dynamic_variability: variability } = policy;
  const spread = toSpread(window.durationsMs);
  const farthest = farthestOf(window.durationsMs, spread);
  const farthestMs = window.durationsMs[farthest]!;
  const exceeding = findExceeding(window, farthestMs, toTolerated(spread, variability));
  const { meanMs, deviationMs } = toMoments(spread);
  return {
    compliant: exceeding.length === 0,
    reason: exceeding.length === 0 ? '' : toReason(farthestMs, spread, variability),
    evidence: {
      ...toPairTypes(policy),
      ...toDeciding(pairing, window.indexes[farthest], new Set([...exceeding, ...window.indexes])),
      window_seconds: policy.dynamic_window,
      variability,
      pairs: window.indexes.length,
      exceeding: exceeding.length,
      sum_milliseconds: String(spread.sum),
      sum_of_squares_milliseconds: String(spread.squares),
      mean_seconds: meanMs / MS_PER_SECOND,
      standard_deviation_seconds: deviationMs / MS_PER_SECOND,
      elapsed_seconds: farthestMs / MS_PER_SECOND,
    },
  };
};

/**
 * Complies where every pair in the window is at most `dynamic_variability` standard deviations from the mean, exactly; fewer than two pairs do. The
 * reason names the farthest. Only events in the window count, its edges included: of an event outside none can be the answer.
 */
export const judgeDynamicTolerance = <Ref>(
  policy: PolicyContent,
  subject: Subject<Ref>,
): Verdict<Ref, DynamicToleranceEvidence<Ref>> => {
  const fromMs = subject.atMs - toMs(policy.dynamic_window);
  const pairing = subject.pairingOf(policy.event_display_type, policy.closing_event_display_type, fromMs);
  const window = findClosed(pairing);
  if (window.indexes.length >= PAIRS_MIN) return judgeSpread(policy, pairing, window);
  return {
    compliant: true,
    reason: '',
    evidence: {
      ...toPairTypes(policy),
      ...toDeciding(pairing, window.indexes[0], []),
      window_seconds: policy.dynamic_window,
      variability: policy.dynamic_variability,
      pairs: window.indexes.length,
      exceeding: 0,
    },
  };
};

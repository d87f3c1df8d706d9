// COMPLIANCE_DYNAMIC_TOLERANCE: no answer took much longer or shorter than the others did (decisions.md point 46).
import type { PolicyContent } from '../policyRecord.ts';
import { MS_PER_SECOND, toGoDuration, toMs } from './duration.ts';
import { chain, findIndexes, type Pairing, toDecidingEvents, toPairTypes } from './pairs.ts';
import { type Spread, type Tolerated, toMoments, toSpread, toTolerated, toWholeMoments } from './spread.ts';
import type { Subject } from './subject.ts';
import type { DynamicToleranceEvidence, Verdict } from './verdict.ts';

const PAIRS_MIN = 2;

interface Closed {
  /** Of the pairs that are closed. */
  readonly indexes: Int32Array;
  /** Of the same pairs, in milliseconds. */
  readonly durationsMs: Float64Array;
}

const findClosed = <Ref>({ answers, elapsedMs }: Pairing<Ref>): Closed => {
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

/** Place of the pair farthest from the mean; of several, of the one that opened first. */
const farthestOf = (durationsMs: Float64Array, { count, sum }: Spread): number => {
  let [shortest, longest] = [0, 0];
  if (durationsMs.length === 0) return 0;
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

interface Measured extends Closed {
  readonly spread: Spread;
  /** Place of the pair farthest from the mean. */
  readonly farthest: number;
}

// Policies about the same pairs share what doesn't depend on their variability.
const MEASURED = new WeakMap<object, Measured>();

const measure = <Ref>(pairing: Pairing<Ref>): Measured => {
  const known = MEASURED.get(pairing);
  if (known !== undefined) return known;
  const closed = findClosed(pairing);
  const spread = toSpread(closed.durationsMs);
  const measured = { ...closed, spread, farthest: farthestOf(closed.durationsMs, spread) };
  MEASURED.set(pairing, measured);
  return measured;
};

const isFar = (durationMs: number, { shortestMs, longestMs }: Tolerated): boolean =>
  durationMs < shortestMs || durationMs > longestMs;

const countExceeding = ({ durationsMs, farthest }: Measured, tolerated: Tolerated): number => {
  if (!isFar(durationsMs[farthest]!, tolerated)) return 0;
  let exceeding = 0;
  for (let place = 0; place < durationsMs.length; place += 1) {
    if (isFar(durationsMs[place]!, tolerated)) exceeding += 1;
  }
  return exceeding;
};

// The pair farthest from the mean, then the others that are too far from it, where there are any, then those that aren't.
function* toDecidingIndexes(measured: Measured, exceeding: number, tolerated: Tolerated): Generator<number> {
  const { indexes, durationsMs, farthest } = measured;
  const isFarAt = (place: number): boolean => isFar(durationsMs[place]!, tolerated);
  const far = exceeding > 1 ? findIndexes(indexes.length, (place) => place !== farthest && isFarAt(place)) : [];
  const near = findIndexes(indexes.length, (place) => place !== farthest && !isFarAt(place));
  for (const place of chain([farthest], far, near)) yield indexes[place]!;
}

const toNumbers = ({ spread, durationsMs, farthest }: Measured) => {
  const { meanMs, deviationMs } = toMoments(spread);
  return {
    sum_milliseconds: String(spread.sum),
    sum_of_squares_milliseconds: String(spread.squares),
    mean_seconds: meanMs / MS_PER_SECOND,
    standard_deviation_seconds: deviationMs / MS_PER_SECOND,
    elapsed_seconds: durationsMs[farthest]! / MS_PER_SECOND,
  };
};

const judgeSpread = <Ref>(
  policy: PolicyContent,
  pairing: Pairing<Ref>,
  measured: Measured,
): Verdict<Ref, DynamicToleranceEvidence<Ref>> => {
  const { dynamic_variability: variability } = policy;
  const { spread, indexes, durationsMs, farthest } = measured;
  const tolerated = toTolerated(spread, variability);
  const exceeding = countExceeding(measured, tolerated);
  return {
    compliant: exceeding === 0,
    reason: exceeding === 0 ? '' : toReason(durationsMs[farthest]!, spread, variability),
    evidence: {
      ...toPairTypes(policy),
      events: toDecidingEvents(pairing, toDecidingIndexes(measured, exceeding, tolerated)),
      events_total: 2 * indexes.length,
      window_seconds: policy.dynamic_window,
      variability,
      pairs: indexes.length,
      exceeding,
      ...toNumbers(measured),
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
  const measured = measure(pairing);
  const { indexes } = measured;
  if (indexes.length >= PAIRS_MIN) return judgeSpread(policy, pairing, measured);
  return {
    compliant: true,
    reason: '',
    evidence: {
      ...toPairTypes(policy),
      events: toDecidingEvents(pairing, indexes),
      events_total: 2 * indexes.length,
      window_seconds: policy.dynamic_window,
      variability: policy.dynamic_variability,
      pairs: indexes.length,
      exceeding: 0,
    },
  };
};

// COMPLIANCE_DYNAMIC_TOLERANCE: no answer took much longer or shorter than the others did (decision 46).
import type { PolicyContent } from '../../records/policy.ts';
import { concatenate, findIndexes, type Pairing, toDecidingEvents, toPairTypes } from '../pairs.ts';
import { inSteps, type Steps } from '../steps.ts';
import type { Subject } from '../subject.ts';
import type { DynamicToleranceEvidence, Verdict } from '../verdict.ts';
import { MS_PER_SECOND, toGoDuration, toMs } from './duration.ts';
import { type Spread, type Tolerated, toMoments, toSpread, toTolerated, toWholeMoments } from './spread.ts';

const PAIRS_MIN = 2;

interface Closed {
  /** Of the pairs that are closed. */
  readonly indexes: Int32Array;
  /** Of the same pairs, in milliseconds. */
  readonly durationsMs: Float64Array;
}

function* findClosed<Ref>({ answers, elapsedMs }: Pairing<Ref>): Steps<Closed> {
  const indexes = new Int32Array(answers.length);
  const durationsMs = new Float64Array(answers.length);
  let pairs = 0;
  yield* inSteps(answers.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      if (answers[index] === undefined) continue;
      indexes[pairs] = index;
      durationsMs[pairs] = elapsedMs[index]!;
      pairs += 1;
    }
  });
  return { indexes: indexes.subarray(0, pairs), durationsMs: durationsMs.subarray(0, pairs) };
}

/** Place of the pair farthest from the mean; of several, of the one that opened first. */
function* farthestOf(durationsMs: Float64Array, { count, sum }: Spread): Steps<number> {
  let [shortest, longest] = [0, 0];
  if (durationsMs.length === 0) return 0;
  yield* inSteps(durationsMs.length, (from, to) => {
    for (let place = from; place < to; place += 1) {
      if (durationsMs[place]! < durationsMs[shortest]!) shortest = place;
      if (durationsMs[place]! > durationsMs[longest]!) longest = place;
    }
  });
  const below = sum - count * BigInt(durationsMs[shortest]!);
  const above = count * BigInt(durationsMs[longest]!) - sum;
  if (below === above) return Math.min(shortest, longest);
  return below > above ? shortest : longest;
}

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

function* measure<Ref>(pairing: Pairing<Ref>): Steps<Measured> {
  const known = MEASURED.get(pairing);
  if (known !== undefined) return known;
  const closed = yield* findClosed(pairing);
  const spread = yield* toSpread(closed.durationsMs);
  const measured = { ...closed, spread, farthest: yield* farthestOf(closed.durationsMs, spread) };
  MEASURED.set(pairing, measured);
  return measured;
}

const isFar = (durationMs: number, { shortestMs, longestMs }: Tolerated): boolean =>
  durationMs < shortestMs || durationMs > longestMs;

function* countExceeding({ durationsMs, farthest }: Measured, tolerated: Tolerated): Steps<number> {
  if (!isFar(durationsMs[farthest]!, tolerated)) return 0;
  let exceeding = 0;
  yield* inSteps(durationsMs.length, (from, to) => {
    for (let place = from; place < to; place += 1) if (isFar(durationsMs[place]!, tolerated)) exceeding += 1;
  });
  return exceeding;
}

// The pair farthest from the mean, then the others that are too far from it, where there are any, then those that aren't.
function* toDecidingIndexes(
  measured: Measured,
  exceeding: number,
  tolerated: Tolerated,
): Generator<number | undefined> {
  const { indexes, durationsMs, farthest } = measured;
  const isFarAt = (place: number): boolean => isFar(durationsMs[place]!, tolerated);
  const far = exceeding > 1 ? findIndexes(indexes.length, (place) => place !== farthest && isFarAt(place)) : [];
  const near = findIndexes(indexes.length, (place) => place !== farthest && !isFarAt(place));
  for (const place of concatenate([farthest], far, near)) yield place === undefined ? undefined : indexes[place]!;
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

function* judgeSpread<Ref>(
  policy: PolicyContent,
  pairing: Pairing<Ref>,
  measured: Measured,
): Steps<Verdict<Ref, DynamicToleranceEvidence<Ref>>> {
  const { dynamic_variability: variability } = policy;
  const { spread, indexes, durationsMs, farthest } = measured;
  const tolerated = toTolerated(spread, variability);
  const exceeding = yield* countExceeding(measured, tolerated);
  return {
    compliant: exceeding === 0,
    reason: exceeding === 0 ? '' : toReason(durationsMs[farthest]!, spread, variability),
    evidence: {
      ...toPairTypes(policy),
      events: yield* toDecidingEvents(pairing, toDecidingIndexes(measured, exceeding, tolerated)),
      events_total: 2 * indexes.length,
      window_seconds: policy.dynamic_window,
      variability,
      pairs: indexes.length,
      exceeding,
      ...toNumbers(measured),
    },
  };
}

/**
 * Complies where every pair in the window is at most `dynamic_variability` standard deviations from the mean, exactly; fewer than two pairs do. The
 * reason names the farthest. Only events in the window count, its edges included: of an event outside none can be the answer.
 */
export function* judgeDynamicTolerance<Ref>(
  policy: PolicyContent,
  subject: Subject<Ref>,
): Steps<Verdict<Ref, DynamicToleranceEvidence<Ref>>> {
  const fromMs = subject.atMs - toMs(policy.dynamic_window);
  const pairing = yield* subject.pairingOf(policy.event_display_type, policy.closing_event_display_type, fromMs);
  const measured = yield* measure(pairing);
  const { indexes } = measured;
  if (indexes.length >= PAIRS_MIN) return yield* judgeSpread(policy, pairing, measured);
  return {
    compliant: true,
    reason: '',
    evidence: {
      ...toPairTypes(policy),
      events: yield* toDecidingEvents(pairing, indexes),
      events_total: 2 * indexes.length,
      window_seconds: policy.dynamic_window,
      variability: policy.dynamic_variability,
      pairs: indexes.length,
      exceeding: 0,
    },
  };
}

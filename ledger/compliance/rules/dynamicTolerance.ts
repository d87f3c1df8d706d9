// COMPLIANCE_DYNAMIC_TOLERANCE: no answer took much longer or shorter than the others (decision 46).
import type { PolicyContent } from '../../records/policy.ts';
import type { ClosedPairs } from '../closedPairs.ts';
import { concatenate, findIndexes, toDecidingEvents, toPairTypes } from '../decidingEvents.ts';
import type { EvaluatedAsset } from '../evaluatedAsset.ts';
import type { Pairing } from '../pairs.ts';
import { inSteps, type Steps } from '../steps.ts';
import type { DynamicToleranceEvidence, Verdict } from '../verdict.ts';
import { MS_PER_SECOND, toGoDuration, toMs } from './duration.ts';
import { type Spread, type Tolerated, toIntegerMoments, toMoments, toTolerated } from './spread.ts';

const PAIRS_MIN = 2;

const toReason = (elapsedMs: number, spread: Spread, variability: number): string => {
  const { meanMs, deviationMs } = toIntegerMoments(spread);
  const tolerance = `${variability} times the standard deviation ${toGoDuration(deviationMs)}`;
  return `Duration ${toGoDuration(elapsedMs)} differs from mean ${toGoDuration(meanMs)} by more than ${tolerance}`;
};

const isFar = (durationMs: number, { shortestMs, longestMs }: Tolerated): boolean =>
  durationMs < shortestMs || durationMs > longestMs;

function* countFar({ durationsMs, farthest }: ClosedPairs, tolerated: Tolerated): Steps<number> {
  if (!isFar(durationsMs[farthest]!, tolerated)) return 0;
  let count = 0;
  yield* inSteps(durationsMs.length, (from, to) => {
    for (let place = from; place < to; place += 1) if (isFar(durationsMs[place]!, tolerated)) count += 1;
  });
  return count;
}

// The pair farthest from the mean, then the other pairs that are too far from it, then the remaining pairs.
function* toDecidingIndexes(
  { indexes, durationsMs, farthest }: ClosedPairs,
  exceeding: number,
  tolerated: Tolerated,
): Generator<number | undefined> {
  const isFarAt = (place: number): boolean => isFar(durationsMs[place]!, tolerated);
  const far = exceeding > 1 ? findIndexes(indexes.length, (place) => place !== farthest && isFarAt(place)) : [];
  const near = findIndexes(indexes.length, (place) => place !== farthest && !isFarAt(place));
  for (const place of concatenate([farthest], far, near)) yield place === undefined ? undefined : indexes[place]!;
}

const toNumbers = ({ spread, durationsMs, farthest }: ClosedPairs) => {
  const { meanMs, deviationMs } = toMoments(spread);
  return {
    sum_milliseconds: String(spread.sum),
    sum_of_squares_milliseconds: String(spread.squares),
    mean_seconds: meanMs / MS_PER_SECOND,
    standard_deviation_seconds: deviationMs / MS_PER_SECOND,
    elapsed_seconds: durationsMs[farthest]! / MS_PER_SECOND,
  };
};

function* evaluateSpread<Ref>(
  policy: PolicyContent,
  pairing: Pairing<Ref>,
  closed: ClosedPairs,
): Steps<Verdict<Ref, DynamicToleranceEvidence<Ref>>> {
  const { dynamic_variability: variability } = policy;
  const { spread, indexes, durationsMs, farthest } = closed;
  const tolerated = toTolerated(spread, variability);
  const exceeding = yield* countFar(closed, tolerated);
  return {
    compliant: exceeding === 0,
    reason: exceeding === 0 ? '' : toReason(durationsMs[farthest]!, spread, variability),
    evidence: {
      ...toPairTypes(policy),
      events: yield* toDecidingEvents(pairing, toDecidingIndexes(closed, exceeding, tolerated)),
      events_total: 2 * indexes.length,
      window_seconds: policy.dynamic_window,
      variability,
      pairs: indexes.length,
      exceeding,
      ...toNumbers(closed),
    },
  };
}

/**
 * Complies where the duration of every pair in the window differs from the mean by at most `dynamic_variability`
 * standard deviations, computed exactly. Fewer than two pairs comply. The reason names the farthest pair. The window
 * includes its edges; an event outside it is not an answer to an event in it.
 */
export function* evaluateDynamicTolerance<Ref>(
  policy: PolicyContent,
  asset: EvaluatedAsset<Ref>,
): Steps<Verdict<Ref, DynamicToleranceEvidence<Ref>>> {
  const fromMs = asset.atMs - toMs(policy.dynamic_window);
  const pairing = yield* asset.pairingOf(policy.event_display_type, policy.closing_event_display_type, fromMs);
  const closed = yield* asset.closedPairsOf(pairing);
  const { indexes } = closed;
  if (indexes.length >= PAIRS_MIN) return yield* evaluateSpread(policy, pairing, closed);
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

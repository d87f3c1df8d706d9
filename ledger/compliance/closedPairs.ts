// The pairs of a pairing that are closed, and the spread of their durations.
import { type Spread, toSpread } from './rules/spread.ts';
import { inSteps, type Steps } from './steps.ts';

/** Closed pairs, in the order of their openings. A pair's place is the same in both lists. */
export interface ClosedPairs {
  /** Index of the pair's opening in the pairing. */
  readonly indexes: Int32Array;
  readonly durationsMs: Float64Array;
  readonly spread: Spread;
  /**
   * Place of the pair whose duration is farthest from the mean: of several, the one that opened first; 0 where there
   * are no pairs.
   */
  readonly farthest: number;
}

type Durations = Pick<ClosedPairs, 'indexes' | 'durationsMs'>;

function* findDurations(answers: readonly unknown[], elapsedMs: Float64Array): Steps<Durations> {
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

function* findFarthest(durationsMs: Float64Array, { count, sum }: Spread): Steps<number> {
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

/**
 * The closed pairs among all pairs.
 * @param answers undefined for a pair that is open.
 * @param elapsedMs duration of each pair, in whole milliseconds.
 */
export function* toClosedPairs(answers: readonly unknown[], elapsedMs: Float64Array): Steps<ClosedPairs> {
  const durations = yield* findDurations(answers, elapsedMs);
  const spread = yield* toSpread(durations.durationsMs);
  return { ...durations, spread, farthest: yield* findFarthest(durations.durationsMs, spread) };
}

// The asset that is evaluated, at one moment. Timelines and pairs are computed when a policy first needs them, and
// policies about the same events share them.
import type { Attributes } from '../records/attributes.ts';
import { type ClosedPairs, toClosedPairs } from './closedPairs.ts';
import { type Pairing, slicePairing, toPairing } from './pairs.ts';
import type { PolicyHistory } from './policyEvent.ts';
import { type Actual, toActual } from './rules/assertion.ts';
import { memoizeSteps, type Steps } from './steps.ts';
import { fromTime, type Timeline, toTimeline } from './timeline.ts';

export interface EvaluatedAsset<Ref> {
  /** Time of the verdict, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly attributes: Attributes;
  /** An attribute as assertions compare it; undefined where it is missing or not a text. */
  actualOf(name: string): Actual | undefined;
  timelineOf(displayType: string): Steps<Timeline<Ref>>;
  /** The pairs among the events of times at or after `fromMs`; among all events, unless it is given. */
  pairingOf(openingType: string, closingType: string, fromMs?: number): Steps<Pairing<Ref>>;
  /** The closed pairs of a pairing; those of the newest pairing are kept. */
  closedPairsOf(pairing: Pairing<Ref>): Steps<ClosedPairs>;
}

// Windows whose pairs are kept: each takes as much memory as the asset has events.
const WINDOWS_MAX = 4;

// A long number is parsed once for all assertions about it.
const createActuals = (attributes: Attributes): EvaluatedAsset<never>['actualOf'] => {
  const known = new Map<string, Actual | undefined>();
  return (name) => {
    if (!Object.hasOwn(attributes, name)) return undefined;
    if (known.has(name)) return known.get(name);
    const value = attributes[name];
    const actual = typeof value === 'string' ? toActual(value) : undefined;
    known.set(name, actual);
    return actual;
  };
};

/**
 * The asset with these events and attributes, at this time.
 * @param atMs milliseconds since the epoch.
 */
export const createEvaluatedAsset = <Ref>(
  history: PolicyHistory<Ref>,
  attributes: Attributes,
  atMs: number,
): EvaluatedAsset<Ref> => {
  const timelineOf = memoizeSteps(function* (displayType: string) {
    return yield* toTimeline(yield* history.ofType(displayType), atMs);
  });
  const pairAll = memoizeSteps(function* (openingType: string, closingType: string) {
    const openings = yield* timelineOf(openingType);
    return yield* toPairing(openings, openingType === closingType ? undefined : yield* timelineOf(closingType), atMs);
  });
  const pairFrom = memoizeSteps(function* (openingType: string, closingType: string, fromMs: number) {
    const all = yield* pairAll(openingType, closingType);
    if (all.isPlain) return yield* slicePairing(all, fromMs);
    const openings = fromTime(yield* timelineOf(openingType), fromMs);
    if (openingType === closingType) return yield* toPairing(openings, undefined, atMs);
    return yield* toPairing(openings, fromTime(yield* timelineOf(closingType), fromMs), atMs);
  }, WINDOWS_MAX);
  function* isBeforeAll(type: string, fromMs: number): Steps<boolean> {
    return ((yield* timelineOf(type))[0]?.judgedMs ?? fromMs) >= fromMs;
  }
  function* pairingOf(openingType: string, closingType: string, fromMs?: number): Steps<Pairing<Ref>> {
    const isOfAll =
      fromMs === undefined || ((yield* isBeforeAll(openingType, fromMs)) && (yield* isBeforeAll(closingType, fromMs)));
    return isOfAll ? yield* pairAll(openingType, closingType) : yield* pairFrom(openingType, closingType, fromMs);
  }
  let newest: { readonly pairing: Pairing<Ref>; readonly closed: ClosedPairs } | undefined;
  function* closedPairsOf(pairing: Pairing<Ref>): Steps<ClosedPairs> {
    if (newest?.pairing === pairing) return newest.closed;
    const closed = yield* toClosedPairs(pairing.answers, pairing.elapsedMs);
    newest = { pairing, closed };
    return closed;
  }
  return { atMs, attributes, actualOf: createActuals(attributes), timelineOf, pairingOf, closedPairsOf };
};

// What is judged: one asset at one moment. Timelines and pairs are made when a policy first asks for them, so that policies about the same
// events share the work.
import type { Attributes } from '../records/attributes.ts';
import { type Pairing, slicePairing, toPairing } from './pairs.ts';
import type { PolicyEvent } from './policyEvent.ts';
import { type Actual, toActual } from './rules/assertion.ts';
import { rememberSteps, type Steps } from './steps.ts';
import { fromTime, type Timeline, toTimeline } from './timeline.ts';

/** Events of one asset by their display type, in the order of the ledger. */
export interface PolicyHistory<Ref> {
  ofType(displayType: string): Steps<readonly PolicyEvent<Ref>[]>;
}

export interface Subject<Ref> {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly attributes: Attributes;
  /** An attribute as assertions look at it; undefined where it is missing or no text. */
  actualOf(name: string): Actual | undefined;
  timelineOf(displayType: string): Steps<Timeline<Ref>>;
  /** The pairs among the events accepted at or after `fromMs`; of all, unless it is given. */
  pairingOf(openingType: string, closingType: string, fromMs?: number): Steps<Pairing<Ref>>;
}

// Windows of which the pairs are kept: each has as many as the asset has events.
const WINDOWS_MAX = 4;

// A long number is read once, however many assertions are about it.
const createActuals = (attributes: Attributes): Subject<never>['actualOf'] => {
  const read = new Map<string, Actual | undefined>();
  return (name) => {
    if (!Object.hasOwn(attributes, name)) return undefined;
    if (read.has(name)) return read.get(name);
    const value = attributes[name];
    const actual = typeof value === 'string' ? toActual(value) : undefined;
    read.set(name, actual);
    return actual;
  };
};

/** The asset with these events and attributes, at this time. */
export const createSubject = <Ref>(history: PolicyHistory<Ref>, attributes: Attributes, atMs: number): Subject<Ref> => {
  const timelineOf = rememberSteps(function* (displayType: string) {
    return yield* toTimeline(yield* history.ofType(displayType), atMs);
  });
  const pairAll = rememberSteps(function* (openingType: string, closingType: string) {
    const openings = yield* timelineOf(openingType);
    return yield* toPairing(openings, openingType === closingType ? undefined : yield* timelineOf(closingType), atMs);
  });
  const pairFrom = rememberSteps(function* (openingType: string, closingType: string, fromMs: number) {
    const all = yield* pairAll(openingType, closingType);
    if (all.isPlain) return yield* slicePairing(all, fromMs);
    const openings = fromTime(yield* timelineOf(openingType), fromMs);
    if (openingType === closingType) return yield* toPairing(openings, undefined, atMs);
    return yield* toPairing(openings, fromTime(yield* timelineOf(closingType), fromMs), atMs);
  }, WINDOWS_MAX);
  function* isBeforeAll(type: string, fromMs: number): Steps<boolean> {
    return ((yield* timelineOf(type))[0]?.acceptedMs ?? fromMs) >= fromMs;
  }
  function* pairingOf(openingType: string, closingType: string, fromMs?: number): Steps<Pairing<Ref>> {
    const isOfAll =
      fromMs === undefined || ((yield* isBeforeAll(openingType, fromMs)) && (yield* isBeforeAll(closingType, fromMs)));
    return isOfAll ? yield* pairAll(openingType, closingType) : yield* pairFrom(openingType, closingType, fromMs);
  }
  return { atMs, attributes, actualOf: createActuals(attributes), timelineOf, pairingOf };
};

// What is judged: one asset at one moment. Timelines and pairs are made when a policy first asks for them, so that policies about the same
// events share the work.
import type { Attributes } from '../attributes.ts';
import { type Pairing, slicePairing, toPairing } from './pairs.ts';
import type { PolicyEvent } from './policyEvent.ts';
import { fromTime, type Timeline, toTimeline } from './timeline.ts';

/** Events of one asset by their display type, in the order of the ledger. */
export interface PolicyHistory<Ref> {
  ofType(displayType: string): readonly PolicyEvent<Ref>[];
}

export interface Subject<Ref> {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly attributes: Attributes;
  timelineOf(displayType: string): Timeline<Ref>;
  /** The pairs among the events accepted at or after `fromMs`; of all, unless it is given. */
  pairingOf(openingType: string, closingType: string, fromMs?: number): Pairing<Ref>;
}

const remember = <A extends unknown[], T>(make: (...args: A) => T): ((...args: A) => T) => {
  const made = new Map<string, T>();
  return (...args) => {
    const key = JSON.stringify(args);
    const value = made.get(key) ?? make(...args);
    made.set(key, value);
    return value;
  };
};

/** The asset with these events and attributes, at this time. */
export const createSubject = <Ref>(history: PolicyHistory<Ref>, attributes: Attributes, atMs: number): Subject<Ref> => {
  const timelineOf = remember((displayType: string) => toTimeline(history.ofType(displayType), atMs));
  const pairAll = remember((openingType: string, closingType: string) =>
    toPairing(timelineOf(openingType), openingType === closingType ? undefined : timelineOf(closingType), atMs),
  );
  const pairFrom = remember((openingType: string, closingType: string, fromMs: number) => {
    const all = pairAll(openingType, closingType);
    if (all.isPlain) return slicePairing(all, fromMs);
    const [openings, closings] = [openingType, closingType].map((type) => fromTime(timelineOf(type), fromMs));
    return toPairing(openings!, openingType === closingType ? undefined : closings, atMs);
  });
  const isBeforeAll = (type: string, fromMs: number): boolean => (timelineOf(type)[0]?.acceptedMs ?? fromMs) >= fromMs;
  const pairingOf: Subject<Ref>['pairingOf'] = (openingType, closingType, fromMs) =>
    fromMs === undefined || [openingType, closingType].every((type) => isBeforeAll(type, fromMs))
      ? pairAll(openingType, closingType)
      : pairFrom(openingType, closingType, fromMs);
  return { atMs, attributes, timelineOf, pairingOf };
};

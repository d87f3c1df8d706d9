// What is judged: one asset at one moment. Timelines and pairs are made when a policy first asks for them, so that policies about the same
// events share the work.
import type { Attributes } from '../attributes.ts';
import { type Pairing, toPairing } from './pairs.ts';
import type { PolicyEvent } from './policyEvent.ts';
import { type Timeline, toTimeline } from './timeline.ts';

/** Events of one asset by their display type, in the order of the ledger. */
export interface PolicyHistory<Ref> {
  ofType(displayType: string): readonly PolicyEvent<Ref>[];
}

export interface Subject<Ref> {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly attributes: Attributes;
  timelineOf(displayType: string): Timeline<Ref>;
  pairingOf(openingType: string, closingType: string): Pairing<Ref>;
}

const remember = <T>(make: (...types: string[]) => T): ((...types: string[]) => T) => {
  const made = new Map<string, T>();
  return (...types) => {
    const key = JSON.stringify(types);
    const value = made.get(key) ?? make(...types);
    made.set(key, value);
    return value;
  };
};

/** The asset with these events and attributes, at this time. */
export const createSubject = <Ref>(history: PolicyHistory<Ref>, attributes: Attributes, atMs: number): Subject<Ref> => {
  const timelineOf = remember((displayType: string) => toTimeline(history.ofType(displayType), atMs));
  const pairingOf = remember((openingType: string, closingType: string) =>
    toPairing(timelineOf(openingType), openingType === closingType ? undefined : timelineOf(closingType), atMs),
  );
  return { atMs, attributes, timelineOf, pairingOf };
};

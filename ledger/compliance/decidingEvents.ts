// The events that decide a verdict about pairs, as evidence lists them.
import type { PolicyContent } from '../records/policy.ts';
import type { Pairing } from './pairs.ts';
import type { PolicyEvent } from './policyEvent.ts';
import { STEP_ITEMS, type Steps } from './steps.ts';
import { type DecidingEvent, EVENTS_MAX, type PairTypes } from './verdict.ts';

/** Times of an event that differ by more are both named. */
const SAME_MS_MAX = 60_000;

/** The types of events that a policy pairs. */
export const toPairTypes = ({ event_display_type, closing_event_display_type }: PolicyContent): PairTypes => ({
  event_display_type,
  closing_event_display_type,
});

/** An event as evidence names it. */
export const toDecidingEvent = <Ref>({ ref, acceptedMs, declaredMs }: PolicyEvent<Ref>): DecidingEvent<Ref> => ({
  event: ref,
  acceptedMs,
  ...(Math.abs(acceptedMs - declaredMs) > SAME_MS_MAX ? { declaredMs } : {}),
});

const eventsAt = <Ref>({ openings, answers }: Pairing<Ref>, index: number): DecidingEvent<Ref>[] => {
  const [opening, answer] = [openings[index]!, answers[index]];
  return answer === undefined
    ? [toDecidingEvent(opening)]
    : [toDecidingEvent(opening), { ...toDecidingEvent(answer), answers: opening.ref }];
};

/** Indexes, found one after the other; undefined where a step ends without one. */
export type FoundIndexes = Iterable<number | undefined>;

/** Finds the indexes below `length` that match. */
export function* findIndexes(length: number, matches: (index: number) => boolean): Generator<number | undefined> {
  for (let index = 0; index < length; index += 1) {
    if (matches(index)) yield index;
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield undefined;
  }
}

/** Concatenates lists of indexes. */
export function* concatenate(...lists: readonly FoundIndexes[]): Generator<number | undefined> {
  for (const list of lists) yield* list;
}

/** The events of the pairs with these indexes: the first `EVENTS_MAX`. Looks for no more indexes than they need. */
export function* toDecidingEvents<Ref>(pairing: Pairing<Ref>, indexes: FoundIndexes): Steps<DecidingEvent<Ref>[]> {
  const events: DecidingEvent<Ref>[] = [];
  for (const index of indexes) {
    if (index === undefined) yield;
    else events.push(...eventsAt(pairing, index));
    if (events.length >= EVENTS_MAX) break;
  }
  return events.slice(0, EVENTS_MAX);
}

// Which event answers which (decisions.md point 42). One event answers one: to count an answer twice would pass what nobody did.

import type { PolicyContent } from '../policyRecord.ts';
import type { PolicyEvent } from './policyEvent.ts';
import type { Timeline } from './timeline.ts';
import { type Deciding, type DecidingEvent, EVENTS_MAX, type PairTypes } from './verdict.ts';

/** Opening events, oldest first. What belongs to the same one has the same index. */
export interface Pairing<Ref> {
  readonly openings: Timeline<Ref>;
  /** The event that answers it; undefined where none does. */
  readonly answers: readonly (PolicyEvent<Ref> | undefined)[];
  /** Milliseconds since the epoch. */
  readonly openedMs: Float64Array;
  /** Milliseconds from the opening to its answer, where there is none to the time of judgement. */
  readonly elapsedMs: Float64Array;
  readonly open: number;
}

interface Answered<Ref> {
  readonly openings: Timeline<Ref>;
  readonly answers: readonly (PolicyEvent<Ref> | undefined)[];
}

interface Queues<Ref> extends Answered<Ref> {
  open(event: PolicyEvent<Ref>): void;
  /** Takes the event for the answer to the opening of its id that waits for longest. Whether there was one. */
  close(event: PolicyEvent<Ref>): boolean;
}

// The openings of an id that wait are a ring: from the newest, which the map knows, to the oldest, and on to the newest again. What is answered
// leaves, so the map stays small, and fast, however long the history is.
const createQueues = <Ref>(): Queues<Ref> => {
  const openings: PolicyEvent<Ref>[] = [];
  const answers: (PolicyEvent<Ref> | undefined)[] = [];
  const newest = new Map<string, number>();
  const after: number[] = [];
  return {
    openings,
    answers,
    open: (event) => {
      const { correlation } = event;
      const index = openings.push(event) - 1;
      answers.push(undefined);
      after.push(index);
      if (correlation === undefined) return;
      const last = newest.get(correlation);
      newest.set(correlation, index);
      if (last === undefined) return;
      after[index] = after[last]!;
      after[last] = index;
    },
    close: (event) => {
      const { correlation } = event;
      const last = correlation === undefined ? undefined : newest.get(correlation);
      if (last === undefined) return false;
      const oldest = after[last]!;
      answers[oldest] = event;
      if (oldest === last) newest.delete(correlation!);
      else after[last] = after[oldest]!;
      return true;
    },
  };
};

const answerEach = <Ref>(openings: Timeline<Ref>, closings: Timeline<Ref>): Answered<Ref> => {
  const queues = createQueues<Ref>();
  let closed = 0;
  for (const opening of openings) {
    for (; closed < closings.length && closings[closed]!.acceptedMs < opening.acceptedMs; closed += 1) {
      queues.close(closings[closed]!);
    }
    queues.open(opening);
  }
  for (; closed < closings.length; closed += 1) queues.close(closings[closed]!);
  return queues;
};

const answerInTurn = <Ref>(events: Timeline<Ref>): Answered<Ref> => {
  const queues = createQueues<Ref>();
  for (const event of events) if (!queues.close(event)) queues.open(event);
  return queues;
};

const measure = <Ref>({ openings, answers }: Answered<Ref>, atMs: number): Pairing<Ref> => {
  const openedMs = new Float64Array(openings.length);
  const elapsedMs = new Float64Array(openings.length);
  let open = 0;
  for (let index = 0; index < openings.length; index += 1) {
    const answer = answers[index];
    if (answer === undefined) open += 1;
    openedMs[index] = openings[index]!.acceptedMs;
    elapsedMs[index] = (answer === undefined ? atMs : answer.acceptedMs) - openedMs[index]!;
  }
  return { openings, answers, openedMs, elapsedMs, open };
};

/**
 * The pairs of two timelines. The openings choose in the order of their acceptance; each takes the earliest closing event of its correlation id
 * that is not earlier than itself and not taken yet. An event without a correlation id neither has an answer nor is one.
 * @param closings undefined where opening and closing events have the same type: then the events of an id open and close in turn.
 */
export const toPairing = <Ref>(
  openings: Timeline<Ref>,
  closings: Timeline<Ref> | undefined,
  atMs: number,
): Pairing<Ref> => measure(closings === undefined ? answerInTurn(openings) : answerEach(openings, closings), atMs);

/** The types of events that a policy pairs. */
export const toPairTypes = ({ event_display_type, closing_event_display_type }: PolicyContent): PairTypes => ({
  event_display_type,
  closing_event_display_type,
});

/** An event as evidence names it. */
export const toDecidingEvent = <Ref>({ ref, acceptedMs }: PolicyEvent<Ref>): DecidingEvent<Ref> => ({
  event: ref,
  acceptedMs,
});

const eventsAt = <Ref>({ openings, answers }: Pairing<Ref>, index: number): DecidingEvent<Ref>[] => {
  const [opening, answer] = [openings[index]!, answers[index]];
  return answer === undefined
    ? [toDecidingEvent(opening)]
    : [toDecidingEvent(opening), { ...toDecidingEvent(answer), answers: opening.ref }];
};

/** Indexes of the openings of which something is true. */
export const findOpenings = <Ref>({ openings }: Pairing<Ref>, isTrue: (index: number) => boolean): number[] => {
  const found: number[] = [];
  for (let index = 0; index < openings.length; index += 1) if (isTrue(index)) found.push(index);
  return found;
};

/** The events of the opening at `first`, where there is one, then those of the openings at `others`. */
export const toDeciding = <Ref>(
  pairing: Pairing<Ref>,
  first: number | undefined,
  others: Iterable<number>,
): Deciding<Ref> => {
  const events = first === undefined ? [] : eventsAt(pairing, first);
  let total = events.length;
  for (const index of others) {
    if (index === first) continue;
    total += pairing.answers[index] === undefined ? 1 : 2;
    if (events.length < EVENTS_MAX) events.push(...eventsAt(pairing, index));
  }
  return { events: events.slice(0, EVENTS_MAX), events_total: total };
};

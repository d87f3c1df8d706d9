// Which event answers which (decision 42). One event answers one: to count an answer twice would pass what nobody did.

import type { PolicyContent } from '../records/policy.ts';
import type { PolicyEvent } from './policyEvent.ts';
import { inSteps, STEP_ITEMS, type Steps } from './steps.ts';
import { findFrom, type Timeline } from './timeline.ts';
import { type DecidingEvent, EVENTS_MAX, type PairTypes } from './verdict.ts';

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
  /** Whether the pairs among the events from any time on are those of these pairs that opened from then on: no id ever waited for two answers at once. */
  readonly isPlain: boolean;
}

interface Answered<Ref> {
  readonly openings: Timeline<Ref>;
  readonly answers: readonly (PolicyEvent<Ref> | undefined)[];
  readonly isPlain: boolean;
}

interface Queues<Ref> {
  end(isPlain: boolean): Answered<Ref>;
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
  let isCrowded = false;
  return {
    end: (isPlain) => ({ openings, answers, isPlain: isPlain && !isCrowded }),
    open: (event) => {
      const { correlation } = event;
      const index = openings.push(event) - 1;
      answers.push(undefined);
      after.push(index);
      if (correlation === undefined) return;
      const last = newest.get(correlation);
      newest.set(correlation, index);
      if (last === undefined) return;
      isCrowded = true;
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

function* answerEach<Ref>(openings: Timeline<Ref>, closings: Timeline<Ref>): Steps<Answered<Ref>> {
  const queues = createQueues<Ref>();
  let [opened, closed] = [0, 0];
  // Of the same millisecond the opening comes first.
  const isClosingNext = (): boolean =>
    opened >= openings.length ||
    (closed < closings.length && closings[closed]!.acceptedMs < openings[opened]!.acceptedMs);
  yield* inSteps(openings.length + closings.length, (from, to) => {
    for (let event = from; event < to; event += 1) {
      if (isClosingNext()) queues.close(closings[closed++]!);
      else queues.open(openings[opened++]!);
    }
  });
  return queues.end(true);
}

function* answerInTurn<Ref>(events: Timeline<Ref>): Steps<Answered<Ref>> {
  const queues = createQueues<Ref>();
  yield* inSteps(events.length, (from, to) => {
    for (let index = from; index < to; index += 1) if (!queues.close(events[index]!)) queues.open(events[index]!);
  });
  // Which of them open depends on how many there were before.
  return queues.end(false);
}

function* measure<Ref>({ openings, answers, isPlain }: Answered<Ref>, atMs: number): Steps<Pairing<Ref>> {
  const openedMs = new Float64Array(openings.length);
  const elapsedMs = new Float64Array(openings.length);
  let open = 0;
  yield* inSteps(openings.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const answer = answers[index];
      if (answer === undefined) open += 1;
      openedMs[index] = openings[index]!.acceptedMs;
      elapsedMs[index] = (answer === undefined ? atMs : answer.acceptedMs) - openedMs[index]!;
    }
  });
  return { openings, answers, openedMs, elapsedMs, open, isPlain };
}

/**
 * The pairs of two timelines. The openings choose in the order of their acceptance; each takes the earliest closing event of its correlation id
 * that is not earlier than itself and not taken yet. An event without a correlation id neither has an answer nor is one.
 * @param closings undefined where opening and closing events have the same type: then the events of an id open and close in turn.
 */
export function* toPairing<Ref>(
  openings: Timeline<Ref>,
  closings: Timeline<Ref> | undefined,
  atMs: number,
): Steps<Pairing<Ref>> {
  const answered = closings === undefined ? answerInTurn(openings) : answerEach(openings, closings);
  return yield* measure(yield* answered, atMs);
}

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

/** Of a plain pairing the pairs that opened at or after a time. */
export function* slicePairing<Ref>(pairing: Pairing<Ref>, fromMs: number): Steps<Pairing<Ref>> {
  const from = findFrom(pairing.openedMs.length, (index) => pairing.openedMs[index]!, fromMs);
  const answers = pairing.answers.slice(from);
  let open = 0;
  yield* inSteps(answers.length, (start, end) => {
    for (let index = start; index < end; index += 1) if (answers[index] === undefined) open += 1;
  });
  return {
    openings: pairing.openings.slice(from),
    answers,
    openedMs: pairing.openedMs.subarray(from),
    elapsedMs: pairing.elapsedMs.subarray(from),
    open,
    isPlain: true,
  };
}

/** Indexes that are looked for one after the other; undefined where a step ends without one. */
export type Found = Iterable<number | undefined>;

/** The events of the openings at these indexes, as many as evidence lists. No index is asked for that isn't needed. */
export function* toDecidingEvents<Ref>(pairing: Pairing<Ref>, indexes: Found): Steps<DecidingEvent<Ref>[]> {
  const events: DecidingEvent<Ref>[] = [];
  for (const index of indexes) {
    if (index === undefined) yield;
    else events.push(...eventsAt(pairing, index));
    if (events.length >= EVENTS_MAX) break;
  }
  return events.slice(0, EVENTS_MAX);
}

/** Indexes below `length` of which something is true, one after the other. */
export function* findIndexes(length: number, isTrue: (index: number) => boolean): Generator<number | undefined> {
  for (let index = 0; index < length; index += 1) {
    if (isTrue(index)) yield index;
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield undefined;
  }
}

/** Indexes, one list after the other. */
export function* concatenate(...lists: readonly Found[]): Generator<number | undefined> {
  for (const list of lists) yield* list;
}

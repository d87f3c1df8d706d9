// Events in the order of the times by which they are judged, up to the time of the verdict: later events don't count
// (decision 41).
import type { PolicyEvent } from './policyEvent.ts';
import { inSteps, STEP_ITEMS, type Steps } from './steps.ts';

/** Events in the order of their times, oldest first. */
export type Timeline<Ref> = readonly PolicyEvent<Ref>[];

interface Order {
  /** Whether every event's time is at or before the time of the verdict. */
  readonly isKnown: boolean;
  /** Whether the events are in the order of their times. */
  readonly isInOrder: boolean;
}

function* findOrder<Ref>(events: Timeline<Ref>, atMs: number): Steps<Order> {
  let [latestMs, isInOrder] = [Number.NEGATIVE_INFINITY, true];
  yield* inSteps(events.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const { judgedMs } = events[index]!;
      if (judgedMs < latestMs) isInOrder = false;
      else latestMs = judgedMs;
    }
  });
  return { isKnown: latestMs <= atMs, isInOrder };
}

function* keepKnown<Ref>(events: Timeline<Ref>, atMs: number): Steps<PolicyEvent<Ref>[]> {
  const known: PolicyEvent<Ref>[] = [];
  yield* inSteps(events.length, (from, to) => {
    for (let index = from; index < to; index += 1) if (events[index]!.judgedMs <= atMs) known.push(events[index]!);
  });
  return known;
}

// Merges two sorted runs, `from` to `middle` and `middle` to `to`. Events of the same time keep their order.
function* merge<Ref>(
  events: Timeline<Ref>,
  into: PolicyEvent<Ref>[],
  from: number,
  middle: number,
  to: number,
): Steps<void> {
  let [left, right] = [from, middle];
  yield* inSteps(to - from, (start, end) => {
    for (let index = start; index < end; index += 1) {
      const isLeft = right >= to || (left < middle && events[left]!.judgedMs <= events[right]!.judgedMs);
      into[from + index] = isLeft ? events[left++]! : events[right++]!;
    }
  });
}

function* sort<Ref>(events: Timeline<Ref>): Steps<Timeline<Ref>> {
  const { length } = events;
  let sorted: PolicyEvent<Ref>[] = [];
  yield* inSteps(length, (from, to) => {
    for (const event of events.slice(from, to).sort((a, b) => a.judgedMs - b.judgedMs)) sorted.push(event);
  });
  for (let run = STEP_ITEMS; run < length; run *= 2) {
    const merged = new Array<PolicyEvent<Ref>>(length);
    for (let from = 0; from < length; from += 2 * run) {
      yield* merge(sorted, merged, from, Math.min(from + run, length), Math.min(from + 2 * run, length));
      yield;
    }
    sorted = merged;
  }
  return sorted;
}

/**
 * The events of times at or before a time, oldest first. Events of the same millisecond keep the order in which they
 * are given.
 */
export function* toTimeline<Ref>(events: Timeline<Ref>, atMs: number): Steps<Timeline<Ref>> {
  const { isKnown, isInOrder } = yield* findOrder(events, atMs);
  const known = isKnown ? events : yield* keepKnown(events, atMs);
  return isInOrder ? known : yield* sort(known);
}

/**
 * The first of `length` indexes, ordered by their times, whose time is `fromMs` or later; `length` where there is none.
 */
export const findFrom = (length: number, timeOf: (index: number) => number, fromMs: number): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeOf(middle) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The events of a timeline whose times are at or after a time. */
export const fromTime = <Ref>(timeline: Timeline<Ref>, fromMs: number): Timeline<Ref> => {
  const from = findFrom(timeline.length, (index) => timeline[index]!.judgedMs, fromMs);
  return from === 0 ? timeline : timeline.slice(from);
};

// Events in the order in which they were accepted, up to one moment: nothing that came later exists (decisions.md point 41).
import type { PolicyEvent } from './policyEvent.ts';

export type Timeline<Ref> = readonly PolicyEvent<Ref>[];

const isInOrder = <Ref>(events: Timeline<Ref>): boolean => {
  for (let index = 1; index < events.length; index += 1) {
    if (events[index]!.acceptedMs < events[index - 1]!.acceptedMs) return false;
  }
  return true;
};

/** The events accepted at or before a time, oldest first. Those of the same millisecond stay in the order in which they are given. */
export const toTimeline = <Ref>(events: readonly PolicyEvent<Ref>[], atMs: number): Timeline<Ref> => {
  const known = events.some(({ acceptedMs }) => acceptedMs > atMs)
    ? events.filter(({ acceptedMs }) => acceptedMs <= atMs)
    : events;
  return isInOrder(known) ? known : known.toSorted((a, b) => a.acceptedMs - b.acceptedMs);
};

/** Of `length` places in the order of their times the first whose time is `fromMs` or later. */
export const findFrom = (length: number, timeOf: (index: number) => number, fromMs: number): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeOf(middle) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The events of a timeline that were accepted at or after a time. */
export const fromTime = <Ref>(timeline: Timeline<Ref>, fromMs: number): Timeline<Ref> => {
  const from = findFrom(timeline.length, (index) => timeline[index]!.acceptedMs, fromMs);
  return from === 0 ? timeline : timeline.slice(from);
};

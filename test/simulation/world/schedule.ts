// Everything that is pending in a simulation, in order of its virtual time. Tasks of the same time run in a random
// order, which the seed decides.
import type { Random } from './random.ts';

/** The pending tasks of one simulation and its virtual clock. */
export interface Schedule {
  /** Virtual milliseconds since the beginning. */
  nowMs(): number;
  /** Runs a task after so many milliseconds. Returns the function that cancels it. */
  add(delayMs: number, task: () => void): () => void;
  /** Advances the clock to the next task and runs it; false when there is none at or before `untilMs`. */
  runNext(untilMs: number): boolean;
  /** Number of pending tasks, cancelled ones included. */
  size(): number;
}

interface Pending {
  readonly atMs: number;
  readonly tie: number;
  task: (() => void) | undefined;
}

const isBefore = (a: Pending, b: Pending): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie);

// A binary heap, the next task first.
const createHeap = () => {
  const items: Pending[] = [];
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [items[b]!, items[a]!];
  };
  const rise = (start: number): void => {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(items[at]!, items[parent]!)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= items.length) return;
      const right = left + 1;
      const child = right < items.length && isBefore(items[right]!, items[left]!) ? right : left;
      if (!isBefore(items[child]!, items[at]!)) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    size: () => items.length,
    first: () => items[0],
    push: (item: Pending): void => {
      items.push(item);
      rise(items.length - 1);
    },
    shift: (): void => {
      const last = items.pop()!;
      if (items.length === 0) return;
      items[0] = last;
      sink();
    },
  };
};

/** An empty schedule at time 0. */
export const createSchedule = (random: Random): Schedule => {
  const heap = createHeap();
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    add: (delayMs, task) => {
      const pending: Pending = { atMs: nowMs + Math.max(0, delayMs), tie: random.next(), task };
      heap.push(pending);
      return () => {
        pending.task = undefined;
      };
    },
    runNext: (untilMs) => {
      for (let next = heap.first(); next !== undefined && next.atMs <= untilMs; next = heap.first()) {
        heap.shift();
        if (next.task === undefined) continue;
        nowMs = next.atMs;
        next.task();
        return true;
      }
      return false;
    },
    size: heap.size,
  };
};

// Everything that is pending in a simulation, in order of its virtual time. Tasks of the same time run in a random
// order, which the seed decides.
import { Heap } from 'heap-js';
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

const compareTimes = (a: Pending, b: Pending): number => a.atMs - b.atMs || a.tie - b.tie;

/** An empty schedule at time 0. */
export const createSchedule = (random: Random): Schedule => {
  const heap = new Heap<Pending>(compareTimes);
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
      for (let next = heap.peek(); next !== undefined && next.atMs <= untilMs; next = heap.peek()) {
        heap.pop();
        if (next.task === undefined) continue;
        nowMs = next.atMs;
        next.task();
        return true;
      }
      return false;
    },
    size: () => heap.length,
  };
};

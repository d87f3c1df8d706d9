// Work on many items, between which the event loop processes other events.
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../ledger/compliance/steps.ts';

/** Runs the steps, one in each turn of the event loop. Resolves with their result. */
export const runInTurns = async <T>(steps: Steps<T>): Promise<T> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
};

/** Calls `run` with each item and its position, for `together` of them in each turn of the event loop. */
export const forEachInTurns = async <T>(
  items: readonly T[],
  together: number,
  run: (item: T, at: number) => void,
): Promise<void> => {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % together === 0) await setImmediate();
    run(item, at);
  }
};

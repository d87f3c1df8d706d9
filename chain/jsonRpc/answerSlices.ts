// Work on large answers of nodes, in slices: all of it together occupies the event loop for a few milliseconds between
// two of its turns, so requests are answered meanwhile.
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../ledger/compliance/steps.ts';
import { createSerialQueue } from '../writing/serialQueue.ts';

/** Milliseconds after which no further step begins. */
const SLICE_MS = 5;

const inTurn = createSerialQueue();

/** Runs the work to its end and resolves with its result, one slice after those of other answers. */
export const runInSlices = async <T>(steps: Steps<T>): Promise<T> => {
  let result: IteratorResult<undefined, T> | undefined;
  const runSlice = async (): Promise<void> => {
    const endMs = performance.now() + SLICE_MS;
    do result = steps.next();
    while (!result.done && performance.now() < endMs);
    if (!result.done) await setImmediate();
  };
  for (;;) {
    await inTurn(runSlice);
    if (result?.done) return result.value;
  }
};

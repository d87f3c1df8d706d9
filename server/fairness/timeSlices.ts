// Runs long work in time slices: it occupies the event loop, which serves every client, for a few milliseconds at a
// time, however many requests need such work at once. Parties take turns.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { createTurns } from './turns.ts';

/** Runs stepped work of a party to its end and resolves to its result. Rejects with the error that the work throws. */
export type RunInSlices = <T>(party: string, steps: Steps<T>) => Promise<T>;

export interface TimeSlicesDeps {
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Resolves when the event loop has processed all other pending events. */
  readonly pause: () => Promise<unknown>;
  /** Milliseconds after a pause in which a step may begin. */
  readonly sliceMs: number;
}

/** Milliseconds of a server's time slice. */
export const SLICE_MS = 5;

/** Runs several works in alternation: each gets its next slice when the others have had theirs. */
export const createRunInSlices = ({ nowMs, pause, sliceMs }: TimeSlicesDeps): RunInSlices => {
  const runInTurn = createTurns({ nowMs });
  // Start of the first work since the last pause.
  let beganMs: number | undefined;

  const begin = (): number => {
    const atMs = nowMs();
    beganMs = atMs;
    void pause().then(() => {
      if (beganMs === atMs) beganMs = undefined;
    });
    return atMs;
  };

  const runSlice = async <T>(steps: Steps<T>): Promise<IteratorResult<undefined, T>> => {
    if (beganMs !== undefined && nowMs() >= beganMs + sliceMs) {
      await pause();
      beganMs = undefined;
    }
    const endMs = (beganMs ?? begin()) + sliceMs;
    let result = steps.next();
    while (!result.done && nowMs() < endMs) result = steps.next();
    return result;
  };

  return async (party, steps) => {
    for (;;) {
      const result = await runInTurn(party, () => runSlice(steps));
      if (result.done) return result.value;
    }
  };
};

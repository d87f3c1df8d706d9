// Long work in turns: the event loop, which serves every client, has such work for a few milliseconds at a time, however many ask for it at once.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { createRunExclusively } from '../records/exclusive.ts';

/** Runs work in steps to its end, and gives its result. Rejects with what the work throws. */
export type RunInSlices = <T>(steps: Steps<T>) => Promise<T>;

export interface TimeSlicesDeps {
  /** Milliseconds of a clock that never goes back. */
  readonly nowMs: () => number;
  /** Resolves when the event loop has served whatever else is there. */
  readonly pause: () => Promise<unknown>;
  /** Milliseconds between two pauses in which a step of such work may begin. */
  readonly sliceMs: number;
}

/** Milliseconds of a turn of a server. */
export const SLICE_MS = 5;

/** Runs each work in turns with the others: while several are under way, each has its turn when the others have had theirs. */
export const createRunInSlices = ({ nowMs, pause, sliceMs }: TimeSlicesDeps): RunInSlices => {
  const runExclusively = createRunExclusively();
  // When the first work since the last pause began.
  let beganMs: number | undefined;

  const begin = (): number => {
    const atMs = nowMs();
    beganMs = atMs;
    void pause().then(() => {
      if (beganMs === atMs) beganMs = undefined;
    });
    return atMs;
  };

  const runTurn = async <T>(steps: Steps<T>): Promise<IteratorResult<undefined, T>> => {
    if (beganMs !== undefined && nowMs() >= beganMs + sliceMs) {
      await pause();
      beganMs = undefined;
    }
    const endMs = (beganMs ?? begin()) + sliceMs;
    let result = steps.next();
    while (!result.done && nowMs() < endMs) result = steps.next();
    return result;
  };

  return async (steps) => {
    for (;;) {
      const result = await runExclusively('', () => runTurn(steps));
      if (result.done) return result.value;
    }
  };
};

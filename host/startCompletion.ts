// The rest of a start, which continues in the background while requests are answered: on the embedded chain the replay,
// and the checks that need the chain's state. If it fails, nothing is answered any more: the index has been read
// although the chain contradicts its journal, or the keys contradict the chain. The process continues, because a
// supervisor would start it again, and it would answer reads until the same failure.
import { LedgerError } from '../ledger/errors.ts';

/** The rest of one start. */
export interface StartCompletion {
  /** Resolves when the start is complete; rejects with the error that ended it. */
  readonly completed: Promise<void>;
  /** Why the start will never be complete; undefined unless it failed. */
  findIssue(): string | undefined;
  /** @throws LedgerError CHAIN_UNAVAILABLE after the start failed. */
  assertNotFailed(): void;
  /** Resolves when the start is complete. Never resolves after it failed. Rejects with the reason of `signal`. */
  wait(signal: AbortSignal | undefined): Promise<void>;
}

const isStopping = (cause: unknown): boolean => cause instanceof LedgerError && cause.code === 'STOPPING';

// Resolves with `promise`, and rejects only with the reason of the signal.
const waitFor = (promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => reject(signal!.reason as Error);
    if (signal?.aborted) return end();
    signal?.addEventListener('abort', end, { once: true });
    promise.then(
      () => {
        signal?.removeEventListener('abort', end);
        resolve();
      },
      () => undefined,
    );
  });

/** Runs the rest of a start in the background, and reports its failure once. */
export const createStartCompletion = (
  complete: () => Promise<void>,
  onProblem: (message: string, cause?: unknown) => void,
): StartCompletion => {
  let failure: LedgerError | undefined;
  let isComplete = false;
  const completed = complete().then(() => {
    isComplete = true;
  });
  completed.catch((cause: unknown) => {
    failure = new LedgerError('CHAIN_UNAVAILABLE', { message: (cause as Error).message, cause });
    if (!isStopping(cause)) onProblem('the start failed, and all requests are refused; stop the server', cause);
  });
  return {
    completed,
    findIssue: () => failure?.message,
    assertNotFailed: () => {
      if (failure !== undefined) throw failure;
    },
    wait: async (signal) => {
      if (!isComplete) await waitFor(completed, signal);
    },
  };
};

// The rest of a start, which continues in the background while requests are answered: on the embedded chain the replay,
// and the checks that need the chain's state. If it fails, nothing is answered any more: the index has been read
// although the chain contradicts its journal, or the keys contradict the chain. The process continues, because a
// supervisor would start it again, and it would answer reads until the same failure.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerOptions } from './ledgerOptions.ts';

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
  /** Ends the attempts to complete it. */
  stop(): void;
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

const retryAfterMsOf = (cause: unknown): number | undefined =>
  cause instanceof LedgerError ? cause.retryAfterMs : undefined;

// The state of the chain can't be read while its journal lacks a block, which is written as soon as the disk allows it.
const untilReadable = async (complete: () => Promise<void>, signal: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      return await complete();
    } catch (cause) {
      const retryAfterMs = retryAfterMsOf(cause);
      if (retryAfterMs === undefined) throw cause;
      await sleep(retryAfterMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw new LedgerError('STOPPING', { cause });
    }
  }
};

/**
 * Runs the rest of a start in the background, again while it fails with an error after which a request may be repeated,
 * and reports its failure once.
 */
export const createStartCompletion = (
  complete: () => Promise<void>,
  onProblem: (message: string, cause?: unknown) => void,
): StartCompletion => {
  let failure: LedgerError | undefined;
  let isComplete = false;
  const stopping = new AbortController();
  const completed = untilReadable(complete, stopping.signal).then(() => {
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
    stop: () => stopping.abort(),
  };
};

/** Begins the rest of a start. A network has nothing to replay, so there it resolves when the start is complete. */
export const beginCompletion = async (
  { network, onProblem }: Pick<LedgerOptions, 'network' | 'onProblem'>,
  completeStart: () => Promise<void>,
): Promise<StartCompletion> => {
  if (network === undefined) return createStartCompletion(completeStart, onProblem);
  await completeStart();
  return createStartCompletion(async () => undefined, onProblem);
};

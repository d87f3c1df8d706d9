// Runs large tasks one at a time, those of several parties in turns, so that nobody's requests delay another's by more
// than one task for each party.
import { LedgerError } from '../../ledger/errors.ts';
import { refusePending } from './coverage.ts';

/**
 * Runs a task when it is this party's turn. Rejects with EVIDENCE_PENDING when the party has too many that wait, with
 * STOPPING when the server stops before the turn, and with the signal's reason when that aborts before.
 */
export type RunInTurn = <T>(party: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

interface Waiting {
  readonly resume: () => void;
  readonly end: (reason: unknown) => void;
}

/** Options of `createTurns`. */
export interface TurnOptions {
  /** Tasks of one party that may wait. */
  readonly waitingMax: number;
  /** Aborts when the server stops: the task in progress goes on, and no other begins. */
  readonly stopping?: AbortSignal | undefined;
}

/** Begins with nothing in progress. */
export const createTurns = ({ waitingMax, stopping }: TurnOptions): RunInTurn => {
  const waiting = new Map<string, Waiting[]>();
  let isBusy = false;

  // The party whose turn is over waits behind all others.
  const begin = (): void => {
    const [first] = waiting;
    isBusy = first !== undefined;
    if (first === undefined) return;
    const [party, [next, ...later]] = first;
    waiting.delete(party);
    if (later.length > 0) waiting.set(party, later);
    next!.resume();
  };

  const remove = (party: string, ended: Waiting): void => {
    const tasks = (waiting.get(party) ?? []).filter((task) => task !== ended);
    if (tasks.length > 0) waiting.set(party, tasks);
    else waiting.delete(party);
  };

  const awaitTurn = (party: string, signal: AbortSignal | undefined): Promise<void> => {
    const tasks = waiting.get(party) ?? [];
    if (tasks.length >= waitingMax) throw refusePending();
    return new Promise((resolve, reject) => {
      const leave = (): void => task.end(signal!.reason);
      const task: Waiting = {
        resume: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        end: (reason) => {
          signal?.removeEventListener('abort', leave);
          remove(party, task);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.set(party, [...tasks, task]);
    });
  };

  stopping?.addEventListener('abort', () => {
    for (const task of [...waiting.values()].flat()) task.end(new LedgerError('STOPPING'));
  });

  return async (party, task, signal) => {
    if (stopping?.aborted) throw new LedgerError('STOPPING');
    signal?.throwIfAborted();
    if (isBusy) await awaitTurn(party, signal);
    isBusy = true;
    try {
      return await task();
    } finally {
      begin();
    }
  };
};

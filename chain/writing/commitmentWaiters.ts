// Requests that wait for the commitment of an accepted record, each up to the same number of milliseconds.
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';

/** The waiting requests of one record writer. */
export interface CommitmentWaiters {
  /**
   * Resolves with the commitment of the outbox entry, or with PENDING after `waitMs` milliseconds, once `stored`
   * resolves. Rejects when `stored` rejects, or as `rejectLate` says.
   */
  wait(sequence: number, waitMs: number, stored: Promise<void>): Promise<Commitment>;
  /** Resolves the wait for this entry, if there is one. */
  resolve(sequence: number, commitment: Commitment): void;
  /** Rejects the wait for this entry. Returns whether there was one. */
  reject(sequence: number, cause: unknown): boolean;
  /** Rejects the wait for this entry if its time is over: nothing can be said about its record. */
  rejectLate(sequence: number, cause: unknown): void;
  /** Ends every wait as if its time were over. */
  endAll(): void;
}

interface Waiter {
  readonly answer: (commitment: Commitment) => void;
  readonly refuse: (cause: unknown) => void;
  readonly end: () => void;
  readonly isLate: () => boolean;
}

/** Waiters of one record writer, by the sequence of their outbox entry. */
export const createCommitmentWaiters = (): CommitmentWaiters => {
  const waiters = new Map<number, Waiter>();
  return {
    wait: (sequence, waitMs, stored) =>
      new Promise((resolve, reject) => {
        const forget = (): void => {
          clearTimeout(timer);
          waiters.delete(sequence);
        };
        const answer = (commitment: Commitment): void => {
          forget();
          resolve(commitment);
        };
        let isLate = false;
        const end = (): void => {
          isLate = true;
          stored.then(() => answer(toUncommitted('PENDING')), forget);
        };
        const timer = setTimeout(end, waitMs);
        const refuse = (cause: unknown): void => {
          forget();
          reject(cause);
        };
        waiters.set(sequence, { answer, refuse, end, isLate: () => isLate });
        stored.catch(refuse);
      }),
    resolve: (sequence, commitment) => waiters.get(sequence)?.answer(commitment),
    reject: (sequence, cause) => {
      const waiter = waiters.get(sequence);
      waiter?.refuse(cause);
      return waiter !== undefined;
    },
    rejectLate: (sequence, cause) => {
      const waiter = waiters.get(sequence);
      if (waiter?.isLate()) waiter.refuse(cause);
    },
    endAll: () => {
      for (const { end } of [...waiters.values()]) end();
    },
  };
};

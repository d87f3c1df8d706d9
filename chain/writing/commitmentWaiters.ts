// Requests that wait for the commitment of an accepted record, each up to the same number of milliseconds.
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';

/** The waiting requests of one record writer. */
export interface CommitmentWaiters {
  /** Resolves with the commitment of the outbox entry, or with PENDING after `waitMs` milliseconds. */
  wait(sequence: number, waitMs: number): Promise<Commitment>;
  /** Resolves the wait for this entry, if there is one. */
  resolve(sequence: number, commitment: Commitment): void;
  /** Resolves every wait. */
  resolveAll(commitment: Commitment): void;
}

/** Waiters of one record writer, by the sequence of their outbox entry. */
export const createCommitmentWaiters = (): CommitmentWaiters => {
  const waiters = new Map<number, (commitment: Commitment) => void>();
  return {
    wait: (sequence, waitMs) =>
      new Promise((resolve) => {
        const answer = (commitment: Commitment): void => {
          clearTimeout(timer);
          waiters.delete(sequence);
          resolve(commitment);
        };
        const timer = setTimeout(() => answer(toUncommitted('PENDING')), waitMs);
        waiters.set(sequence, answer);
      }),
    resolve: (sequence, commitment) => waiters.get(sequence)?.(commitment),
    resolveAll: (commitment) => {
      for (const answer of [...waiters.values()]) answer(commitment);
    },
  };
};

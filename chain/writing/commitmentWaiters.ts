// Those who wait for the commitment of a record that they had accepted, each up to the same time.
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';

export interface CommitmentWaiters {
  /** Resolves with the commitment of the outbox entry, or with PENDING after `waitMs` milliseconds. */
  wait(sequence: number, waitMs: number): Promise<Commitment>;
  settle(sequence: number, commitment: Commitment): void;
  settleAll(commitment: Commitment): void;
}

export const createCommitmentWaiters = (): CommitmentWaiters => {
  const waiters = new Map<number, (commitment: Commitment) => void>();
  return {
    wait: (sequence, waitMs) =>
      new Promise((resolve) => {
        const settle = (commitment: Commitment): void => {
          clearTimeout(timer);
          waiters.delete(sequence);
          resolve(commitment);
        };
        const timer = setTimeout(() => settle(toUncommitted('PENDING')), waitMs);
        waiters.set(sequence, settle);
      }),
    settle: (sequence, commitment) => waiters.get(sequence)?.(commitment),
    settleAll: (commitment) => {
      for (const settle of [...waiters.values()]) settle(commitment);
    },
  };
};

// Settles outbox entries by what the index shows of them. It alone says that a record is on the chain: what a node said of a
// transaction, or didn't, is only the reason to look.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../../ledger/errors.ts';
import { toUncommitted } from '../../ledger/records/commitment.ts';
import type { MinedTransaction } from '../port.ts';
import type { CommitterDeps } from './committer.ts';
import type { OutboxEntry } from './outboxEntries.ts';

export interface Settler {
  /** Runs the task until it succeeds, with ever longer pauses. Rejects only when the signal ends it, or with a `FinalRefusal`. */
  retry<T>(entries: readonly OutboxEntry[], task: (attempt: number) => Promise<T>): Promise<T>;
  /** Settles what the index shows, and returns what it doesn't. */
  settleIndexed(entries: readonly OutboxEntry[]): Promise<OutboxEntry[]>;
  /** The same, once the transaction is final and in the index. Rejects with a `FinalRefusal` when it never will be. */
  settleMined(entries: readonly OutboxEntry[], mined: MinedTransaction): Promise<OutboxEntry[]>;
  /** Settles an entry that the chain refuses for good. */
  fail(entry: OutboxEntry): Promise<void>;
}

/** The chain had the transaction, in a block that was replaced, and will never have it again. */
export class FinalRefusal extends Error {}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const REFUSED = 'the chain mined the transaction of this record alone, and the record is not in the ledger';

const refuseForGood = (cause: unknown): never => {
  if (!(cause instanceof LedgerError) || cause.code !== 'TRANSACTION_REFUSED') throw cause;
  throw new FinalRefusal(cause.message, { cause });
};

/** The settler of one outbox. */
export const createSettler = (deps: Omit<CommitterDeps, 'onObstacle'>): Settler => {
  const { outbox, submission, index, onSettled, onProblem, signal } = deps;

  const retry: Settler['retry'] = async (entries, task) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await task(attempt);
      } catch (cause) {
        if (signal.aborted || cause instanceof FinalRefusal) throw cause;
        const retryMs = Math.min(RETRY_MS_MIN * 2 ** attempt, RETRY_MS_MAX);
        onProblem(`${entries.length} records wait for the chain; next try in ${retryMs} ms`, cause);
        await sleep(retryMs, undefined, { signal });
      }
    }
  };

  const settleIndexed: Settler['settleIndexed'] = async (entries) => {
    const commitments = await index.readCommitments(entries);
    const settled = entries.filter((_, at) => commitments[at] !== undefined);
    let blockNumber = 0;
    for (const [at, { sequence }] of entries.entries()) {
      if (commitments[at] === undefined) continue;
      onSettled(sequence, commitments[at]);
      blockNumber = Math.max(blockNumber, commitments[at].block_number);
    }
    if (settled.length > 0) await outbox.remove(settled, blockNumber);
    return entries.filter((_, at) => commitments[at] === undefined);
  };

  return {
    retry,
    settleIndexed,
    settleMined: async (entries, mined) => {
      const { blockNumber } = await retry(entries, () => submission.settle(mined, signal).catch(refuseForGood));
      return retry(entries, async () => {
        await index.catchUpTo(blockNumber);
        return settleIndexed(entries);
      });
    },
    fail: async (entry) => {
      await retry([entry], () => outbox.fail(entry, REFUSED));
      onProblem(`${entry.record.identity} is FAILED: ${REFUSED}`);
      onSettled(entry.sequence, toUncommitted('FAILED'));
    },
  };
};

// Brings outbox entries to the chain and settles them. Only the index says that a record is there: a time-out, a refusal or
// a crash says nothing, so each is followed by a look and another try, which the contract's exactly-once rule makes harmless.

import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { MinedTransaction } from '../port.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import { createSettler, FinalRefusal } from './settler.ts';
import type { Submission } from './submission.ts';

/** What the write path needs of the index. */
export interface IndexedRecords {
  /** Resolves when the index has taken in the block. */
  catchUpTo(blockNumber: number): Promise<void>;
  /** Commitments of records, in the order asked for; undefined for those that the index doesn't have with this content. */
  readCommitments(
    records: readonly { tenantIdentity: string; record: LedgerRecord; payload: Uint8Array }[],
  ): Promise<(Commitment | undefined)[]>;
}

export interface CommitterDeps {
  readonly outbox: Outbox;
  readonly submission: Submission;
  readonly index: IndexedRecords;
  readonly onSettled: (sequence: number, commitment: Commitment) => void;
  /** Told of each failed attempt to reach the chain, and of each record that the chain refused. */
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Told after each submission what kept it from the chain; undefined when nothing did. */
  readonly onObstacle: (cause: unknown) => void;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

export interface Committer {
  /**
   * Brings entries to the chain, in order, and resolves when others may follow. `settled` resolves when every one of them is
   * CONFIRMED or FAILED: the index takes in one batch while the chain works on the next. Rejects only when `signal` ends it.
   */
  commit(entries: readonly OutboxEntry[], isRecovered: boolean): Promise<{ settled: Promise<void> }>;
}

type Settling = Promise<{ settled: Promise<void> }>;

const SETTLED = { settled: Promise.resolve() };

// What settles while the next batch is on its way: problems are told, since nobody waits for it.
const createBackground =
  ({ onProblem, signal }: CommitterDeps, commit: Committer['commit']) =>
  async (entries: readonly OutboxEntry[], settle: () => Promise<void>): Promise<void> => {
    // The chain has lost the transaction for good, so its records go there again.
    const settleAgain = async (cause: unknown): Promise<void> => {
      if (!(cause instanceof FinalRefusal)) throw cause;
      onProblem(`${entries.length} records have to go to the chain again`, cause);
      await (await commit(entries, true)).settled;
    };
    try {
      await settle().catch(settleAgain);
    } catch (cause) {
      if (!signal.aborted) onProblem(`${entries.length} records stay in the outbox`, cause);
    }
  };

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const { submission, onProblem, onObstacle, signal } = deps;
  const { retry, settleIndexed, settleMined, fail } = createSettler(deps);

  // All or none of a transaction's records are on the chain, and success means all.
  const settleAll = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Promise<void> => {
    const missing = await settleMined(entries, mined);
    if (missing.length > 0)
      onProblem(
        `${missing.length} records are on the chain and not in the index; stop the server and run: npm run rebuild`,
      );
  };

  const failMined = async (entry: OutboxEntry, mined: MinedTransaction): Promise<void> => {
    const missing = await settleMined([entry], mined);
    if (missing.length > 0) await fail(entry);
  };

  // A batch that reverted is split until the one record that the chain refuses stands alone.
  const split = async (missing: readonly OutboxEntry[]): Settling => {
    const middle = Math.ceil(missing.length / 2);
    const { settled: first } = await commit(missing.slice(0, middle), false);
    const { settled: second } = await commit(missing.slice(middle), false);
    return { settled: Promise.all([first, second]).then(() => undefined) };
  };

  // A revert is known at once, and needs to be final only when it is to be a record's last word.
  const settleReverted = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Settling => {
    if (entries.length === 1) return { settled: inBackground(entries, () => failMined(entries[0]!, mined)) };
    void submission.settle(mined, signal).catch(() => undefined);
    return split(entries);
  };

  // Where nothing is known, the index is asked first.
  const settleUnknown = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Settling => {
    const missing = await settleMined(entries, mined);
    if (missing.length === 0) return SETTLED;
    if (entries.length > 1) return split(missing);
    await fail(missing[0]!);
    return SETTLED;
  };

  const submit = async (entries: readonly OutboxEntry[]): Promise<MinedTransaction> => {
    try {
      const mined = await submission.submit(entries, signal);
      onObstacle(undefined);
      return mined;
    } catch (cause) {
      onObstacle(cause);
      throw cause;
    }
  };

  const commit: Committer['commit'] = async (entries, isRecovered) => {
    let rest = entries;
    const mined = await retry(entries, async (attempt) => {
      if (isRecovered || attempt > 0) rest = await settleIndexed(rest);
      return rest.length === 0 ? undefined : submit(rest);
    });
    if (mined === undefined) return SETTLED;
    if (mined.outcome === 'unknown') return settleUnknown(rest, mined);
    if (mined.outcome === 'reverted') return settleReverted(rest, mined);
    return { settled: inBackground(rest, () => settleAll(rest, mined)) };
  };
  const inBackground = createBackground(deps, commit);

  return { commit };
};

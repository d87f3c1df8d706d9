// Brings outbox entries to the chain and settles them. Only the index says that a record is there: a time-out, a refusal or
// a crash says nothing, so each is followed by a look and another try, which the contract's exactly-once rule makes harmless.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../ledger/errors.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { type Commitment, toUncommitted } from '../ledger/resources.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import type { MinedTransaction } from './port.ts';
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

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const REFUSED = 'the chain mined the transaction of this record alone, and the record is not in the ledger';
const SETTLED = { settled: Promise.resolve() };

/** The chain had the transaction, in a block that it replaced, and will never have it again. */
class FinalRefusal extends Error {}
const isFinalRefusal = (error: unknown): error is FinalRefusal => error instanceof FinalRefusal;
const refuseForGood = (cause: unknown): never => {
  if (!(cause instanceof LedgerError) || cause.code !== 'TRANSACTION_REFUSED') throw cause;
  throw new FinalRefusal(cause.message, { cause });
};

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const { outbox, submission, index, onSettled, onProblem, onObstacle, signal } = deps;

  const retry = async <T>(entries: readonly OutboxEntry[], task: (attempt: number) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await task(attempt);
      } catch (cause) {
        if (signal.aborted || isFinalRefusal(cause)) throw cause;
        const retryMs = Math.min(RETRY_MS_MIN * 2 ** attempt, RETRY_MS_MAX);
        onProblem(`${entries.length} records wait for the chain; next try in ${retryMs} ms`, cause);
        await sleep(retryMs, undefined, { signal });
      }
    }
  };

  // Takes out of the outbox what the index shows, and returns what it doesn't.
  const settleIndexed = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    const commitments = await index.readCommitments(entries);
    for (const [at, { sequence }] of entries.entries()) {
      if (commitments[at] !== undefined) onSettled(sequence, commitments[at]);
    }
    await outbox.remove(entries.filter((_, at) => commitments[at] !== undefined));
    return entries.filter((_, at) => commitments[at] === undefined);
  };

  const settleMined = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Promise<OutboxEntry[]> => {
    const { blockNumber } = await retry(entries, () => submission.settle(mined, signal).catch(refuseForGood));
    return retry(entries, async () => {
      await index.catchUpTo(blockNumber);
      return settleIndexed(entries);
    });
  };

  // After the chain has lost a transaction for good: its records go there again.
  const settleAgain = async (entries: readonly OutboxEntry[], cause: FinalRefusal): Promise<void> => {
    onProblem(`${entries.length} records have to go to the chain again`, cause);
    await (await commit(entries, true)).settled;
  };

  const inBackground = async (entries: readonly OutboxEntry[], settle: () => Promise<void>): Promise<void> => {
    try {
      await settle().catch((cause: unknown) => {
        if (!isFinalRefusal(cause)) throw cause;
        return settleAgain(entries, cause);
      });
    } catch (cause) {
      if (!signal.aborted) onProblem(`${entries.length} records stay in the outbox`, cause);
    }
  };

  // All or none of a transaction's records are on the chain, and success means all.
  const settleAll = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Promise<void> => {
    const missing = await settleMined(entries, mined);
    if (missing.length > 0) onProblem(`${missing.length} records are on the chain and not in the index`);
  };

  const fail = async (entry: OutboxEntry): Promise<void> => {
    await outbox.fail(entry, REFUSED);
    onProblem(`${entry.record.identity} is FAILED: ${REFUSED}`);
    onSettled(entry.sequence, toUncommitted('FAILED'));
  };

  const failMined = async (entry: OutboxEntry, mined: MinedTransaction): Promise<void> => {
    const missing = await settleMined([entry], mined);
    if (missing.length > 0) await fail(entry);
  };

  // A batch that reverted is split until the one record that the chain refuses stands alone.
  const split = async (missing: readonly OutboxEntry[]): Promise<{ settled: Promise<void> }> => {
    const middle = Math.ceil(missing.length / 2);
    const { settled: first } = await commit(missing.slice(0, middle), false);
    const { settled: second } = await commit(missing.slice(middle), false);
    return { settled: Promise.all([first, second]).then(() => undefined) };
  };

  // A revert is known at once; where nothing is known, the index is asked first.
  const settleReverted = async (
    entries: readonly OutboxEntry[],
    mined: MinedTransaction,
  ): Promise<{ settled: Promise<void> }> => {
    if (entries.length === 1) return { settled: inBackground(entries, () => failMined(entries[0]!, mined)) };
    void submission.settle(mined, signal).catch(() => undefined);
    return split(entries);
  };

  const settleUnknown = async (
    entries: readonly OutboxEntry[],
    mined: MinedTransaction,
  ): Promise<{ settled: Promise<void> }> => {
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

  return { commit };
};

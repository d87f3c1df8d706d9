// Brings outbox entries to the chain and settles them. Only the index says that a record is there: a time-out, a refusal or
// a crash says nothing, so each is followed by a look and another try, which the contract's exactly-once rule makes harmless.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerRecord } from '../ledger/record.ts';
import { type Commitment, toUncommitted } from '../ledger/resources.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';
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
  /** Ends the waiting between two attempts. */
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

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const { outbox, submission, index, onSettled, onProblem, signal } = deps;

  const retry = async <T>(entries: readonly OutboxEntry[], task: (attempt: number) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await task(attempt);
      } catch (cause) {
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

  const settleMined = (entries: readonly OutboxEntry[], blockNumber: number): Promise<OutboxEntry[]> =>
    retry(entries, async () => {
      await index.catchUpTo(blockNumber);
      return settleIndexed(entries);
    });

  // All or none of a transaction's records are on the chain, and logs mean all.
  const settleAll = async (entries: readonly OutboxEntry[], blockNumber: number): Promise<void> => {
    try {
      const missing = await settleMined(entries, blockNumber);
      if (missing.length > 0) onProblem(`${missing.length} records are on the chain and not in the index`);
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
  };

  const fail = async (entry: OutboxEntry): Promise<void> => {
    await outbox.fail(entry, REFUSED);
    onProblem(`${entry.record.identity} is FAILED: ${REFUSED}`);
    onSettled(entry.sequence, toUncommitted('FAILED'));
  };

  // A batch that reverted is split until the one record that the chain refuses stands alone.
  const split = async (missing: readonly OutboxEntry[]): Promise<void> => {
    const middle = Math.ceil(missing.length / 2);
    for (const half of [missing.slice(0, middle), missing.slice(middle)]) await (await commit(half, false)).settled;
  };

  const commit: Committer['commit'] = async (entries, isRecovered) => {
    let rest = entries;
    const mined = await retry(entries, async (attempt) => {
      if (isRecovered || attempt > 0) rest = await settleIndexed(rest);
      return rest.length === 0 ? undefined : submission.submit(rest);
    });
    if (mined === undefined) return SETTLED;
    if (mined.emittedLogs) return { settled: settleAll(rest, mined.blockNumber) };
    const missing = await settleMined(rest, mined.blockNumber);
    if (missing.length > 0) await (rest.length === 1 ? fail(missing[0]!) : split(missing));
    return SETTLED;
  };

  return { commit };
};

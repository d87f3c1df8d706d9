// Completes outbox entries: an entry is complete when its record is CONFIRMED or FAILED. Only the index shows that a
// record is on the chain, so an answer of a node about a transaction, or a missing one, is only a reason to query the
// index.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';
import { isDefect, raiseDefect } from '../defects.ts';
import { isLastingDamage } from '../leveldb/writeRecovery.ts';
import {
  createRemoveDisplaced,
  type DisplacingDeps,
  type DisplacingIndex,
  type RequestedRecord,
} from './displacedEntries.ts';
import { createFailedAttempts } from './failedAttempts.ts';
import type { Failure, Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import type { Submission } from './submission.ts';
import type { SentTransaction } from './transactionSender.ts';
import type { WaitingEntries } from './waitingEntries.ts';

/** The part of the index that the write path uses. */
export interface IndexedRecords extends DisplacingIndex {
  /** Resolves when the index contains the block. */
  catchUpTo(blockNumber: number): Promise<void>;
  /** Commitments of records, in their order; undefined for a record that the index doesn't have with this payload. */
  readCommitments(records: readonly RequestedRecord[]): Promise<(Commitment | undefined)[]>;
}

/** Parts that an entry completer works with. */
export interface EntryCompleterDeps extends Pick<DisplacingDeps, 'onDisplaced'> {
  readonly outbox: Outbox;
  readonly submission: Submission;
  readonly index: IndexedRecords;
  /** Called with each entry's sequence and its commitment: CONFIRMED or FAILED. */
  readonly onCompleted: (sequence: number, commitment: Commitment) => void;
  /** Called when attempts to reach the chain begin to fail and when that ends, and for each record that it refused. */
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Called after each failed attempt to reach the chain. */
  readonly onFailedAttempt?: (() => void) | undefined;
  /** Called with a mistake of this program. By default it ends the process. */
  readonly onDefect?: ((cause: unknown) => void) | undefined;
  /** Undefined: nobody asks which records wait. */
  readonly waits?: WaitingEntries | undefined;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** A final transaction, and its entries whose records are not in the index. */
export interface CompletedTransaction {
  readonly transaction: SentTransaction;
  readonly missing: OutboxEntry[];
}

/** Completes entries, with retries. */
export interface EntryCompleter {
  /**
   * Runs the task until it succeeds, with growing pauses. Rejects when `ending`, by default the signal of all, ends it,
   * when what it works with is damaged, and when it fails by a mistake of this program, which is raised.
   */
  retry<T>(task: (attempt: number) => Promise<T>, ending?: AbortSignal): Promise<T>;
  /**
   * Completes the entries whose records are in the index, and removes those whose identities other records have there;
   * resolves with the other entries.
   */
  completeIndexed(entries: readonly OutboxEntry[]): Promise<OutboxEntry[]>;
  /**
   * The same as `completeIndexed`, once the transaction is final and in the index. Its outcome is that in the final
   * block: after a reorg it may differ from the first one.
   */
  completeMined(entries: readonly OutboxEntry[], mined: SentTransaction): Promise<CompletedTransaction>;
  /** Completes an entry as FAILED, because the chain refuses its record. */
  fail(entry: OutboxEntry): Promise<void>;
  /** Whether an entry was completed as FAILED. */
  isFailed(entry: OutboxEntry): boolean;
}

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;

const REFUSED: Failure = {
  failureReason: 'TRANSACTION_REFUSED',
  reason: 'the chain mined the transaction of this record alone, and the record is not in the ledger',
};
// The index would show a record that it can read, and displace this one.
const TAKEN: Failure = {
  failureReason: 'IDENTITY_PRESENT',
  reason: 'the ledger has another record of this identity, in a format that this version cannot read',
};

const toRemoved = (author: Hex): Failure => ({
  failureReason: 'AUTHOR_UNAVAILABLE',
  reason: `the key that signed this record, ${author}, is no longer one of the tenant's writers`,
});

const findFailure = async (submission: Submission, entry: OutboxEntry): Promise<Failure> => {
  const author = await submission.findRemovedAuthor(entry.tenantIdentity);
  if (author !== undefined) return toRemoved(author);
  return (await submission.isPresent(entry)) ? TAKEN : REFUSED;
};

/** Completes the entries of one outbox. */
export const createEntryCompleter = (deps: EntryCompleterDeps): EntryCompleter => {
  const { outbox, submission, index, onCompleted, onProblem, onDefect = raiseDefect, waits, signal } = deps;
  const failed = new WeakSet<OutboxEntry>();
  const attempts = createFailedAttempts(deps);
  const removeDisplaced = createRemoveDisplaced(deps);

  const retry: EntryCompleter['retry'] = async (task, ending = signal) => {
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await task(attempt);
        } catch (cause) {
          if (ending.aborted || isLastingDamage(cause)) throw cause;
          if (isDefect(cause)) {
            onDefect(cause);
            throw cause;
          }
          attempts.note(task, cause);
          await sleep(Math.min(RETRY_MS_MIN * 2 ** attempt, RETRY_MS_MAX), undefined, { signal: ending });
        }
      }
    } finally {
      attempts.end(task);
    }
  };

  const completeIndexed: EntryCompleter['completeIndexed'] = async (entries) => {
    const commitments = await index.readCommitments(entries);
    const committed = entries.filter((_, at) => commitments[at] !== undefined);
    let blockNumber = 0;
    for (const [at, { sequence }] of entries.entries()) {
      if (commitments[at] === undefined) continue;
      onCompleted(sequence, commitments[at]);
      blockNumber = Math.max(blockNumber, commitments[at].block_number);
    }
    if (committed.length > 0) await outbox.remove(committed, blockNumber);
    return removeDisplaced(entries.filter((_, at) => commitments[at] === undefined));
  };

  return {
    retry,
    completeIndexed,
    completeMined: async (entries, mined) => {
      const transaction = await retry(() => submission.awaitFinal(mined, signal));
      waits?.end(entries);
      const missing = await retry(async () => {
        await index.catchUpTo(transaction.blockNumber);
        return completeIndexed(entries);
      });
      return { transaction, missing };
    },
    fail: async (entry) => {
      const failure = await retry(() => findFailure(submission, entry));
      await retry(() => outbox.fail(entry, failure));
      failed.add(entry);
      waits?.end([entry]);
      onProblem(`${entry.record.identity} is FAILED: ${failure.reason}`);
      onCompleted(entry.sequence, toUncommitted('FAILED', failure.failureReason));
    },
    isFailed: (entry) => failed.has(entry),
  };
};

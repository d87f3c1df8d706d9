// Submits outbox entries to the chain and completes them. A time-out, a refusal or a crash proves nothing: only the
// index shows that a record is on the chain. So each failure is followed by a query of the index and another attempt,
// which the contract's exactly-once rule makes harmless.
import { COMPLETED, type Committing, createBackground, type EntriesToSubmit } from './backgroundCompletion.ts';
import {
  type CompletedTransaction,
  createEntryCompleter,
  type EntryCompleter,
  type EntryCompleterDeps,
} from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import { createRecordNonces, type RecordNonces } from './recordNonces.ts';
import { createSplitRefused } from './removedAuthors.ts';
import type { SentTransaction } from './transactionSender.ts';

/** Parts that a committer works with. */
export interface CommitterDeps extends EntryCompleterDeps {
  /** Called after each submission with the error that kept it from the chain; undefined when there was none. */
  readonly onObstacle: (cause: unknown) => void;
  /** Whether a transaction that was sent can be mined after the end of this process: nodes have pools. */
  readonly isPooled: boolean;
}

/** Submits the entries of one outbox. */
export interface Committer {
  /**
   * Submits entries to the chain, in order, and resolves when the next may follow. Entries that a reorg has reverted go
   * first. `completed` resolves when each of the entries is CONFIRMED or FAILED: the index projects one batch while the
   * chain works on the next. Rejects only when `signal` ends it.
   */
  commit(entries: readonly OutboxEntry[], isRecovered: boolean): Committing;
}

const NONE: readonly OutboxEntry[] = [];

// What follows from a transaction's outcome in its final block. Each resolves with the entries to submit again.
const createOutcomes = (
  { onProblem, submission, signal }: CommitterDeps,
  { retry, completeMined, fail }: EntryCompleter,
  nonces: RecordNonces,
) => {
  // A transaction appends all of its records or none, and success means all. Whether the index lacks some of them.
  const isIndexBehind = ({ transaction, missing }: CompletedTransaction): boolean => {
    if (transaction.outcome !== 'succeeded' || missing.length === 0) return false;
    onProblem(
      `${missing.length} records are on the chain and not in the index; stop the server and run: npm run rebuild`,
    );
    return true;
  };

  // After a reorg, a transaction that had succeeded may have reverted. Which of its records the chain refuses is not
  // known.
  const completeAll = async (entries: readonly OutboxEntry[], mined: SentTransaction): EntriesToSubmit => {
    const completed = await completeMined(entries, mined);
    if (completed.missing.length === 0 || isIndexBehind(completed)) return NONE;
    onProblem(`${completed.missing.length} records are submitted again: their transaction reverted after a reorg`);
    return completed.missing;
  };

  // The chain refuses the record, also when the transaction had succeeded before a reorg. With a lower nonce than
  // before, the transaction leaves an earlier one valid, which a pool may still have.
  const failMined = async (entry: OutboxEntry, mined: SentTransaction): EntriesToSubmit => {
    const completed = await completeMined([entry], mined);
    if (completed.missing.length === 0 || isIndexBehind(completed)) return NONE;
    if (!nonces.isLast(entry, completed.transaction.account)) return completed.missing;
    await fail(entry);
    return NONE;
  };

  // Until it is final, only its sender sends it again when a reorg drops it, and later transactions wait for its nonce.
  const keep = async (entries: readonly OutboxEntry[], mined: SentTransaction): EntriesToSubmit => {
    await retry(entries, () => submission.awaitReplaced(mined, signal));
    return NONE;
  };

  const completeSucceeded = (entries: readonly OutboxEntry[], mined: SentTransaction): EntriesToSubmit =>
    entries.length === 1 ? failMined(entries[0]!, mined) : completeAll(entries, mined);

  return { completeSucceeded, failMined, keep };
};

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const { submission, onObstacle, signal } = deps;
  const completer = createEntryCompleter(deps);
  const { retry, completeIndexed, completeMined, fail } = completer;
  const nonces = createRecordNonces(deps.outbox, deps.isPooled);
  const { completeSucceeded, failMined, keep } = createOutcomes(deps, completer, nonces);

  // A batch that reverted is halved until the record that the chain refuses is alone in its batch. The index is queried
  // before each part is submitted: it may show by now that other records have displaced some of these.
  const split = async (missing: readonly OutboxEntry[]): Committing => {
    const middle = Math.ceil(missing.length / 2);
    const { completed: first } = await commit(missing.slice(0, middle), true);
    const { completed: second } = await commit(missing.slice(middle), true);
    return { completed: Promise.all([first, second]).then(() => undefined) };
  };

  // A revert is known at once. It must be final only when it decides that a record is FAILED. A record that had a
  // higher nonce is submitted again until that nonce is used. Later records wait: they could come before it in its
  // stream.
  const handleReverted = async (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
    const isAlone = entries.length === 1;
    if (isAlone && nonces.isLast(entries[0]!, mined.account))
      return { completed: inBackground(entries, () => failMined(entries[0]!, mined)) };
    const kept = inBackground(entries, () => keep(entries, mined));
    const { completed } = isAlone ? await commit(entries, false) : await splitRefused(entries, mined);
    return { completed: Promise.all([kept, completed]).then(() => undefined) };
  };

  // With an unknown outcome, the index is queried first.
  const handleUnknown = async (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
    const { missing } = await completeMined(entries, mined);
    if (missing.length === 0) return COMPLETED;
    if (entries.length > 1) return splitRefused(missing, mined);
    await fail(missing[0]!);
    return COMPLETED;
  };

  const submit = async (entries: readonly OutboxEntry[]): Promise<SentTransaction> => {
    try {
      const mined = await submission.submit(entries, signal, (account) => nonces.note(entries, account));
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
      if (isRecovered || attempt > 0) rest = await completeIndexed(rest);
      return rest.length === 0 ? undefined : submit(rest);
    });
    if (mined === undefined) return COMPLETED;
    if (mined.outcome === 'unknown') return handleUnknown(rest, mined);
    if (mined.outcome === 'reverted') return handleReverted(rest, mined);
    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };
  };
  const { inBackground, awaitSubmittedAgain } = createBackground(deps, commit);
  const splitRefused = createSplitRefused({ submission, completer, nonces, commit, split, inBackground });

  return {
    commit: async (entries, isRecovered) => {
      await awaitSubmittedAgain();
      return commit(entries, isRecovered);
    },
  };
};

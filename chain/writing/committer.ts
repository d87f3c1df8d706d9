// Submits outbox entries to the chain and completes them. A time-out, a refusal or a crash proves nothing: only the
// index shows that a record is on the chain. So each failure is followed by a query of the index and another attempt,
// which the contract's exactly-once rule makes harmless.
import { joinSignals } from '../../ledger/joinedSignal.ts';
import { COMPLETED, type Committing, createBackground, type EntriesToSubmit } from './backgroundCompletion.ts';
import { createBatchTurns } from './batchTurns.ts';
import {
  type CompletedTransaction,
  createEntryCompleter,
  type EntryCompleter,
  type EntryCompleterDeps,
} from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import { createRecordNonces, type RecordNonces } from './recordNonces.ts';
import { type CommitEntries, createRefusedBatches } from './refusedBatches.ts';
import { createSubmitUntilMined, type SubmittedEntries, type SubmittingDeps } from './submitUntilMined.ts';
import type { SentTransaction } from './transactionSender.ts';

/** Parts that a committer works with. */
export interface CommitterDeps extends EntryCompleterDeps, SubmittingDeps {
  /** Whether a transaction that was sent can be mined after the end of this process: nodes have pools. */
  readonly isPooled: boolean;
}

/** Submits the entries of one outbox. */
export interface Committer {
  /**
   * Submits entries to the chain, in order, and resolves when the next ones of their streams may follow. Other batches
   * may be submitted meanwhile. `completed` resolves when each of the entries is CONFIRMED or FAILED: the index
   * projects one batch while the chain works on the next. Rejects only when `signal` ends it.
   */
  commit(entries: readonly OutboxEntry[], isRecovered: boolean): Committing;
  /** Resolves when a batch may begin: after those that are submitted again. */
  awaitCalm(): Promise<void>;
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
    const { account, mayLackGas } = completed.transaction;
    if (mayLackGas === true || !nonces.isLast(entry, account)) return completed.missing;
    await fail(entry);
    return NONE;
  };

  // Until it is final, only its sender sends it again when a reorg drops it, and later transactions wait for its nonce.
  const keep = async (mined: SentTransaction): EntriesToSubmit => {
    await retry(() => submission.awaitReplaced(mined, signal));
    return NONE;
  };

  const completeSucceeded = (entries: readonly OutboxEntry[], mined: SentTransaction): EntriesToSubmit =>
    entries.length === 1 ? failMined(entries[0]!, mined) : completeAll(entries, mined);

  return { completeSucceeded, failMined, keep };
};

// Keeps a transaction on the chain until `over`: a reorg may drop it, and those in flight wait for its nonce. Resolves
// with the transaction of its final block; undefined if it isn't final by then, or when the signal ends all waiting.
const keepUntil = async (
  { submission, signal }: CommitterDeps,
  { retry }: EntryCompleter,
  { mined, over }: { readonly mined: SentTransaction; readonly over: AbortSignal },
): Promise<SentTransaction | undefined> => {
  using joined = joinSignals(over, signal);
  const ending = joined.signal;
  const awaitFinal = async (): Promise<SentTransaction | undefined> => {
    try {
      return await submission.awaitFinal(mined, ending);
    } catch (cause) {
      if (ending.aborted) return undefined;
      throw cause;
    }
  };
  return await retry(awaitFinal, ending).catch(() => undefined);
};

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const completer = createEntryCompleter(deps);
  const nonces = createRecordNonces(deps.outbox, deps.isPooled);
  const { completeSucceeded, failMined, keep } = createOutcomes(deps, completer, nonces);
  const turns = createBatchTurns();
  const submitUntilMined = createSubmitUntilMined(deps, completer, nonces, turns.beginFailure);

  const handle = async ({ rest, mined }: SubmittedEntries): Committing => {
    if (mined.outcome === 'unknown') return refused.handleUnknown(rest, mined);
    if (mined.outcome === 'reverted') return refused.handleReverted(rest, mined);
    return { completed: inBackground(rest, () => completeSucceeded(rest, mined)) };
  };
  const commit: CommitEntries = async (entries, isRecovered, isEstimated = false) => {
    const submitted = await submitUntilMined(entries, { isRecovered, isEstimated });
    return submitted === undefined ? COMPLETED : handle(submitted);
  };
  const commitAlone = (entries: readonly OutboxEntry[]): Committing =>
    turns.alone(entries[0]!.sequence, () => commit(entries, true));
  // Waits for those in flight.
  const handleAlone = ({ rest, mined }: SubmittedEntries, order: number): Committing => {
    const turn = new AbortController();
    const kept = keepUntil(deps, completer, { mined, over: turn.signal });
    return turns.alone(order, async () => {
      turn.abort();
      return handle({ rest, mined: (await kept) ?? mined });
    });
  };
  const { inBackground, awaitSubmittedAgain } = createBackground(deps, commitAlone);
  const refused = createRefusedBatches({ ...deps, completer, nonces, commit, inBackground, failMined, keep });

  return {
    // The turn after a failure is taken before the submission ends, so that no batch begins in between.
    commit: async (entries, isRecovered) => {
      const follow = await turns.together(async () => {
        const submitted = await submitUntilMined(entries, { isRecovered, isEstimated: false });
        if (submitted === undefined) return () => COMPLETED;
        if (submitted.mined.outcome === 'succeeded') return () => handle(submitted);
        const handling = handleAlone(submitted, entries[0]!.sequence);
        return () => handling;
      });
      return follow();
    },
    awaitCalm: async () => {
      await turns.awaitCalm();
      await awaitSubmittedAgain();
      await turns.awaitCalm();
    },
  };
};

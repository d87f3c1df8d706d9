// What follows when the chain has mined a transaction and refused its call, or nobody knows whether it has: its entries
// are submitted again in parts, until the record that the chain refuses is alone, or with more gas.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Background, Committing, EntriesToSubmit } from './backgroundCompletion.ts';
import { COMPLETED, joinCommitted } from './backgroundCompletion.ts';
import type { EntryCompleter, EntryCompleterDeps } from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import type { RecordNonces } from './recordNonces.ts';
import { createSplitRefused } from './removedAuthors.ts';
import type { SentTransaction } from './transactionSender.ts';

/** Commits entries; `isEstimated` with an estimate of their gas. */
export type CommitEntries = (
  entries: readonly OutboxEntry[],
  isRecovered: boolean,
  isEstimated?: boolean,
) => Committing;

/** Parts that refused batches are handled with. */
export interface RefusedBatchesDeps
  extends Pick<Background, 'inBackground'>,
    Pick<EntryCompleterDeps, 'submission' | 'onProblem' | 'signal'> {
  readonly completer: EntryCompleter;
  readonly nonces: RecordNonces;
  readonly commit: CommitEntries;
  /** Completes an entry that the chain has refused alone, once that is final. */
  readonly failMined: (entry: OutboxEntry, mined: SentTransaction) => EntriesToSubmit;
  /** Keeps a transaction on the chain whose entries are in others. */
  readonly keep: (mined: SentTransaction) => EntriesToSubmit;
}

/** Pause before a record that uses all gas of its estimate is submitted again, in milliseconds. */
const GAS_RETRY_MS = 5_000;

/** The handling of refused batches; each resolves when the next entries of their streams may follow. */
export const createRefusedBatches = (deps: RefusedBatchesDeps) => {
  const { submission, completer, nonces, commit, inBackground, onProblem, signal } = deps;

  // A batch that reverted is halved until the record that the chain refuses is alone in its batch. The index is queried
  // before each part is submitted: it may show by now that other records have displaced some of these.
  const split = async (missing: readonly OutboxEntry[]): Committing => {
    const middle = Math.ceil(missing.length / 2);
    const first = await commit(missing.slice(0, middle), true);
    const second = await commit(missing.slice(middle), true);
    return joinCommitted([first, second]);
  };
  const splitRefused = createSplitRefused({ submission, completer, nonces, commit, split, inBackground });

  // A transaction that has used up its gas may have lacked some, which proves nothing about its records. One record
  // alone fits with an estimate, so it waits.
  const submitWithMoreGas = async (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
    if (mined.isEstimated !== true) return commit(entries, false, true);
    if (entries.length > 1) return split(entries);
    onProblem(`${entries[0]!.record.identity} waits: its transaction ${mined.hash} has used all gas of its estimate`);
    await sleep(GAS_RETRY_MS, undefined, { signal });
    return commit(entries, false, true);
  };

  const submitAgain = (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
    if (mined.mayLackGas === true) return submitWithMoreGas(entries, mined);
    return entries.length === 1 ? commit(entries, false) : splitRefused(entries, mined);
  };

  return {
    /**
     * A revert is known at once. It must be final only when it decides that a record is FAILED. A record that had a
     * higher nonce is submitted again until that nonce is used. Later records wait: they could come before it in its
     * stream.
     */
    handleReverted: async (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
      const isAlone = entries.length === 1 && mined.mayLackGas !== true;
      if (isAlone && nonces.isLast(entries[0]!, mined.account))
        return { completed: inBackground(entries, () => deps.failMined(entries[0]!, mined)) };
      const kept = inBackground(entries, () => deps.keep(mined));
      return joinCommitted([{ completed: kept }, await submitAgain(entries, mined)]);
    },
    /** With an unknown outcome, the index is queried first. */
    handleUnknown: async (entries: readonly OutboxEntry[], mined: SentTransaction): Committing => {
      const { missing } = await completer.completeMined(entries, mined);
      if (missing.length === 0) return COMPLETED;
      if (entries.length > 1) return splitRefused(missing, mined);
      await completer.fail(missing[0]!);
      return COMPLETED;
    },
  };
};

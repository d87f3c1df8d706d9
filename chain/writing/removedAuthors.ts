// Records whose author is no longer one of the tenant's writers. One of them, alone in its transaction, shows that the
// contract refuses them. The others that reverted with it are then FAILED without a transaction each: else thousands of
// waiting records would need as many blocks.
import {
  type Background,
  type Committed,
  type Committing,
  type EntriesToSubmit,
  joinCommitted,
} from './backgroundCompletion.ts';
import type { EntryCompleter } from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import type { RecordNonces } from './recordNonces.ts';
import type { Submission } from './submission.ts';
import type { SentTransaction } from './transactionSender.ts';

/** Parts that the entries of refused transactions are separated with. */
export interface SplitRefusedDeps extends Pick<Background, 'inBackground'> {
  readonly submission: Pick<Submission, 'findRemovedAuthor'>;
  readonly completer: Pick<EntryCompleter, 'retry' | 'fail' | 'isFailed'>;
  readonly nonces: Pick<RecordNonces, 'isLast'>;
  readonly commit: (entries: readonly OutboxEntry[], isRecovered: boolean) => Committing;
  /** Commits halves of entries. */
  readonly split: (entries: readonly OutboxEntry[]) => Committing;
}

/** Commits the entries of a transaction of several that the chain refused. */
export type SplitRefused = (entries: readonly OutboxEntry[], mined: SentTransaction) => Committing;

// Lists of the entries whose author is no writer now, one for each tenant, and the other entries.
const separate = async ({ submission }: SplitRefusedDeps, entries: readonly OutboxEntry[]) => {
  const removed: OutboxEntry[][] = [];
  const others = new Set(entries);
  for (const [tenantIdentity, group] of Map.groupBy(entries, (entry) => entry.tenantIdentity)) {
    if ((await submission.findRemovedAuthor(tenantIdentity)) === undefined) continue;
    removed.push(group);
    for (const entry of group) others.delete(entry);
  }
  return { removed, others: [...others] };
};

// Completes entries as FAILED once `first`, which was in their transaction, is FAILED, alone in a later one: then
// theirs can't be mined any more. Resolves with the entries to submit again: those that a transaction with a higher
// nonce contained, or all when `first` was recorded or the author is a writer again.
const failWithFirst = async (
  { submission, completer: { retry, fail, isFailed }, nonces }: SplitRefusedDeps,
  { first, later }: { first: OutboxEntry; later: readonly OutboxEntry[] },
  { account }: SentTransaction,
): EntriesToSubmit => {
  if (!isFailed(first)) return later;
  const author = await retry(() => submission.findRemovedAuthor(first.tenantIdentity));
  if (author === undefined) return later;
  const final = new Set(later.filter((entry) => nonces.isLast(entry, account)));
  for (const entry of final) await fail(entry);
  return later.filter((entry) => !final.has(entry));
};

/**
 * Of each author that was removed as a writer, the first record alone decides about the others. When the author is a
 * writer again by then, they are submitted again: no later record of their streams may be on the chain before.
 */
export const createSplitRefused = (deps: SplitRefusedDeps): SplitRefused => {
  const { completer, commit, split, inBackground } = deps;
  return async (entries, mined) => {
    const { removed, others } = await completer.retry(() => separate(deps, entries));
    if (removed.length === 0) return split(entries);
    const all: Committed[] = [];
    for (const [first, ...later] of removed) {
      const committed = await commit([first!], true);
      const failLater = () => committed.completed.then(() => failWithFirst(deps, { first: first!, later }, mined));
      all.push(committed);
      if (later.length > 0) all.push({ completed: inBackground(later, failLater), undecided: later });
    }
    if (others.length > 0) all.push(await commit(others, true));
    return joinCommitted(all);
  };
};

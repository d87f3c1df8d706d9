// Brings outbox entries to the chain and settles them. Only the index says that a record is there: a time-out, a refusal or
// a crash says nothing, so each is followed by a look and another try, which the contract's exactly-once rule makes harmless.
import type { MinedTransaction } from '../port.ts';
import { createEntryCompleter, type EntryCompleterDeps, FinalRefusal } from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';

export interface CommitterDeps extends EntryCompleterDeps {
  /** Called after each submission with the error that kept it from the chain; undefined when there was none. */
  readonly onObstacle: (cause: unknown) => void;
}

export interface Committer {
  /**
   * Brings entries to the chain, in order, and resolves when others may follow. `completed` resolves when every one of them is
   * CONFIRMED or FAILED: the index takes in one batch while the chain works on the next. Rejects only when `signal` ends it.
   */
  commit(entries: readonly OutboxEntry[], isRecovered: boolean): Promise<{ completed: Promise<void> }>;
}

type Committing = Promise<{ completed: Promise<void> }>;

const COMPLETED = { completed: Promise.resolve() };

// What settles while the next batch is on its way: problems are told, since nobody waits for it.
const createBackground =
  ({ onProblem, signal }: CommitterDeps, commit: Committer['commit']) =>
  async (entries: readonly OutboxEntry[], complete: () => Promise<void>): Promise<void> => {
    // The chain has lost the transaction for good, so its records go there again.
    const commitAgain = async (cause: unknown): Promise<void> => {
      if (!(cause instanceof FinalRefusal)) throw cause;
      onProblem(`${entries.length} records have to go to the chain again`, cause);
      await (await commit(entries, true)).completed;
    };
    try {
      await complete().catch(commitAgain);
    } catch (cause) {
      if (!signal.aborted) onProblem(`${entries.length} records stay in the outbox`, cause);
    }
  };

/** The committer of one outbox. */
export const createCommitter = (deps: CommitterDeps): Committer => {
  const { submission, onProblem, onObstacle, signal } = deps;
  const { retry, completeIndexed, completeMined, fail } = createEntryCompleter(deps);

  // All or none of a transaction's records are on the chain, and success means all.
  const completeAll = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Promise<void> => {
    const missing = await completeMined(entries, mined);
    if (missing.length > 0)
      onProblem(
        `${missing.length} records are on the chain and not in the index; stop the server and run: npm run rebuild`,
      );
  };

  const failMined = async (entry: OutboxEntry, mined: MinedTransaction): Promise<void> => {
    const missing = await completeMined([entry], mined);
    if (missing.length > 0) await fail(entry);
  };

  // A batch that reverted is split until the one record that the chain refuses stands alone.
  const split = async (missing: readonly OutboxEntry[]): Committing => {
    const middle = Math.ceil(missing.length / 2);
    const { completed: first } = await commit(missing.slice(0, middle), false);
    const { completed: second } = await commit(missing.slice(middle), false);
    return { completed: Promise.all([first, second]).then(() => undefined) };
  };

  // A revert is known at once, and needs to be final only when it is to be a record's last word.
  const handleReverted = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Committing => {
    if (entries.length === 1) return { completed: inBackground(entries, () => failMined(entries[0]!, mined)) };
    void submission.awaitFinal(mined, signal).catch(() => undefined);
    return split(entries);
  };

  // Where nothing is known, the index is asked first.
  const handleUnknown = async (entries: readonly OutboxEntry[], mined: MinedTransaction): Committing => {
    const missing = await completeMined(entries, mined);
    if (missing.length === 0) return COMPLETED;
    if (entries.length > 1) return split(missing);
    await fail(missing[0]!);
    return COMPLETED;
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
      if (isRecovered || attempt > 0) rest = await completeIndexed(rest);
      return rest.length === 0 ? undefined : submit(rest);
    });
    if (mined === undefined) return COMPLETED;
    if (mined.outcome === 'unknown') return handleUnknown(rest, mined);
    if (mined.outcome === 'reverted') return handleReverted(rest, mined);
    return { completed: inBackground(rest, () => completeAll(rest, mined)) };
  };
  const inBackground = createBackground(deps, commit);

  return { commit };
};

// Completes batches while the next ones are submitted, and submits those entries again that a reorg has reverted: in
// the order of their batches, and before any further batch. Only records that were sent until then can precede them.
import { raiseIfMistake } from '../defects.ts';
import type { EntryCompleterDeps } from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** Entries that were submitted. */
export interface Committed {
  /** Resolves when each of them is CONFIRMED or FAILED. */
  readonly completed: Promise<void>;
  /** Those of them that may be submitted again: until `completed`, the next ones of their streams must wait. */
  readonly undecided?: readonly OutboxEntry[];
}

/** Resolves when the next entries may be submitted. */
export type Committing = Promise<Committed>;

/** Resolves with the entries to submit again. */
export type EntriesToSubmit = Promise<readonly OutboxEntry[]>;

/** What commits nothing resolves with. */
export const COMPLETED: Committed = { completed: Promise.resolve() };

/** Several that were committed, as one. */
export const joinCommitted = (all: readonly Committed[]): Committed => ({
  completed: Promise.all(all.map(({ completed }) => completed)).then(() => undefined),
  undecided: all.flatMap(({ undecided = [] }) => undecided),
});

/** Batches that are completed in the background. */
export interface Background {
  /**
   * Runs `complete`, and submits the entries again that it resolves with; resolves when all are CONFIRMED or FAILED.
   * Never rejects: no caller waits for the result, so problems are reported.
   */
  inBackground(entries: readonly OutboxEntry[], complete: () => EntriesToSubmit): Promise<void>;
  /** Resolves when no entries are being submitted again. Never rejects. */
  awaitSubmittedAgain(): Promise<void>;
}

const waitForAll = (tasks: readonly Promise<unknown>[]): Promise<void> =>
  Promise.allSettled(tasks).then(() => undefined);

/**
 * The background of one committer. `commit` submits entries that the index may have; it must not wait for
 * `awaitSubmittedAgain`.
 */
export const createBackground = (
  { onProblem, signal }: Pick<EntryCompleterDeps, 'onProblem' | 'signal'>,
  commit: (entries: readonly OutboxEntry[]) => Committing,
): Background => {
  // Resolves when it is known of all batches so far which entries are submitted again, and these are mined.
  let known = Promise.resolve();
  let submittedAgain = Promise.resolve();

  const start = (complete: () => EntriesToSubmit): Committing => {
    const knownBefore = known;
    const submitAgain = async (entries: readonly OutboxEntry[]): Committing => {
      await knownBefore;
      return commit(entries);
    };
    const committing = complete().then((again) => {
      if (again.length === 0) return COMPLETED;
      const submitting = submitAgain(again);
      submittedAgain = waitForAll([submittedAgain, submitting]);
      return submitting;
    });
    known = waitForAll([knownBefore, committing]);
    return committing;
  };

  return {
    inBackground: async (entries, complete) => {
      try {
        await (await start(complete)).completed;
      } catch (cause) {
        raiseIfMistake(cause);
        if (!signal.aborted) onProblem(`${entries.length} records stay in the outbox`, cause);
      }
    },
    awaitSubmittedAgain: async () => {
      for (let seen: Promise<void> | undefined; seen !== submittedAgain; ) {
        seen = submittedAgain;
        await seen;
      }
    },
  };
};

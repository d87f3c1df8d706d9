// Submits entries until a transaction of theirs is mined, whatever fails meanwhile.
import type { AccountNonce } from '../port.ts';
import type { EntryCompleter, EntryCompleterDeps } from './entryCompleter.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import type { RecordNonces } from './recordNonces.ts';
import type { SentTransaction } from './transactionSender.ts';
import type { WaitingEntries } from './waitingEntries.ts';

/** Entries that were not in the index before, and their transaction. */
export interface SubmittedEntries {
  readonly rest: readonly OutboxEntry[];
  readonly mined: SentTransaction;
}

/** Parts that entries are submitted with. */
export interface SubmittingDeps extends Pick<EntryCompleterDeps, 'submission' | 'signal'> {
  /** Called after each submission with the error that kept it from the chain; undefined when there was none. */
  readonly onObstacle: (cause: unknown) => void;
  /** Undefined: nobody asks which records wait. */
  readonly waits?: WaitingEntries | undefined;
}

/**
 * Returns a function that submits entries until their transaction is mined; it resolves with undefined when the index
 * has them all. `isRecovered`: the index may have some of them. `beginFailure` is called when an attempt has failed,
 * and what it returns when the entries are submitted.
 */
export const createSubmitUntilMined = (
  { submission, signal, onObstacle, waits }: SubmittingDeps,
  completer: EntryCompleter,
  nonces: RecordNonces,
  beginFailure: () => () => void,
) => {
  const { retry, completeIndexed } = completer;
  const submit = async (entries: readonly OutboxEntry[], isEstimated: boolean): Promise<SentTransaction> => {
    try {
      const onNonce = (account: AccountNonce): Promise<void> => nonces.note(entries, account);
      waits?.begin(entries);
      const mined = await submission.submit(entries, signal, onNonce, isEstimated);
      onObstacle(undefined);
      waits?.mine(entries);
      return mined;
    } catch (cause) {
      onObstacle(cause);
      waits?.noteFailure(entries);
      throw cause;
    }
  };

  const completeSome = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    const rest = await completeIndexed(entries);
    waits?.end(entries.filter((entry) => !rest.includes(entry)));
    return rest;
  };

  return async (
    entries: readonly OutboxEntry[],
    { isRecovered, isEstimated }: { isRecovered: boolean; isEstimated: boolean },
  ): Promise<SubmittedEntries | undefined> => {
    let rest = entries;
    let endFailure: (() => void) | undefined;
    try {
      const mined = await retry(async (attempt) => {
        try {
          if (isRecovered || attempt > 0) rest = await completeSome(rest);
          return rest.length === 0 ? undefined : await submit(rest, isEstimated);
        } catch (cause) {
          endFailure ??= beginFailure();
          throw cause;
        }
      });
      return mined && { rest, mined };
    } finally {
      endFailure?.();
    }
  };
};

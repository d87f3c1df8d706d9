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

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const REFUSED = 'the chain mined the transaction of this record alone, and the record is not in the ledger';

/** Returns the function that commits entries, in order. It resolves when every one is CONFIRMED or FAILED. */
export const createCommitter = (deps: CommitterDeps): ((entries: readonly OutboxEntry[]) => Promise<void>) => {
  const { outbox, submission, index, onSettled, onProblem } = deps;

  // Takes out of the outbox what the index shows, and returns what it doesn't.
  const settleIndexed = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    const commitments = await index.readCommitments(entries);
    await outbox.remove(entries.filter((_, at) => commitments[at] !== undefined));
    for (const [at, { sequence }] of entries.entries()) {
      if (commitments[at] !== undefined) onSettled(sequence, commitments[at]);
    }
    return entries.filter((_, at) => commitments[at] === undefined);
  };

  const fail = async (entry: OutboxEntry): Promise<void> => {
    await outbox.fail(entry, REFUSED);
    onProblem(`${entry.record.identity} is FAILED: ${REFUSED}`);
    onSettled(entry.sequence, toUncommitted('FAILED'));
  };

  const submitUntilMined = async (entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> => {
    let rest: readonly OutboxEntry[] = entries;
    for (let retryMs = RETRY_MS_MIN; rest.length > 0; retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)) {
      try {
        const { blockNumber } = await submission.submit(rest);
        await index.catchUpTo(blockNumber);
        return await settleIndexed(rest);
      } catch (cause) {
        onProblem(`${rest.length} records wait for the chain; next try in ${retryMs} ms`, cause);
        await sleep(retryMs, undefined, { signal: deps.signal });
        rest = await settleIndexed(rest);
      }
    }
    return [];
  };

  // A batch that reverted is split until the one record that the chain refuses stands alone.
  const commit = async (entries: readonly OutboxEntry[]): Promise<void> => {
    const missing = await submitUntilMined(entries);
    if (missing.length === 0) return;
    if (entries.length === 1) return fail(missing[0]!);
    const middle = Math.ceil(missing.length / 2);
    await commit(missing.slice(0, middle));
    await commit(missing.slice(middle));
  };

  return commit;
};

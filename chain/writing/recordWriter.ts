// The write path: a record goes to the outbox, then to the chain in a batch, then to the index, and then it is answered.
// While one batch is in flight the next gathers; an idle writer adds no waiting time (L8, L9).
import { LedgerError, type LedgerErrorCode, refuseField } from '../../ledger/errors.ts';
import { toUncommitted } from '../../ledger/records/commitment.ts';
import { encodePayload, type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';
import type { RecordAppender } from '../port.ts';
import { createCommitmentWaiters } from './commitmentWaiters.ts';
import { type CommitterDeps, createCommitter } from './committer.ts';
import type { OutboxEntry } from './outboxEntries.ts';

/** The write path of a ledger. */
export interface RecordWriter extends RecordAppender {
  /** Refuses new records, completes the batch in flight, and answers waiting requests with PENDING: the outbox keeps the rest. */
  stop(): Promise<void>;
}

export interface RecordWriterOptions extends Omit<CommitterDeps, 'onCompleted' | 'onObstacle' | 'signal'> {
  /** Throws when nobody here can sign for the tenant. */
  readonly assertWritable: (tenantIdentity: string) => unknown;
  /** How long `append` waits for the commitment before it answers PENDING, in milliseconds. */
  readonly waitMs: number;
  readonly batchRecordsMax: number;
  /** Payload bytes of one batch. A larger record goes alone. */
  readonly batchBytesMax: number;
  /** Batches that may be on their way from the chain into the index while the next is on its way to the chain. */
  readonly minedBatchesMax: number;
}

type BatchLimits = Pick<RecordWriterOptions, 'batchRecordsMax' | 'batchBytesMax'>;

const takeBatch = (queue: OutboxEntry[], { batchRecordsMax, batchBytesMax }: BatchLimits): OutboxEntry[] => {
  let records = 0;
  let bytes = 0;
  for (const { payload } of queue) {
    bytes += payload.length;
    if (records > 0 && (records === batchRecordsMax || bytes > batchBytesMax)) break;
    records += 1;
  }
  return queue.splice(0, records);
};

const toFittingPayload = (record: LedgerRecord): Uint8Array => {
  const payload = encodePayload(record);
  if (payload.length <= PAYLOAD_BYTES_MAX) return payload;
  const description = `makes a record of ${payload.length} bytes; the ledger takes ${PAYLOAD_BYTES_MAX} bytes at most`;
  throw refuseField('RECORD_TOO_LARGE', 'body', description);
};

// With these nothing gets to the chain until somebody does something about it, so nothing more is accepted.
const OBSTACLES: readonly LedgerErrorCode[] = ['RELAYER_UNFUNDED', 'CHAIN_MISMATCH'];
const toObstacle = (cause: unknown): LedgerError | undefined =>
  cause instanceof LedgerError && OBSTACLES.includes(cause.code) ? cause : undefined;

/** Starts the writer. What the outbox still holds is brought to the chain first. */
export const createRecordWriter = (options: RecordWriterOptions): RecordWriter => {
  const { outbox, onProblem } = options;
  const queue: OutboxEntry[] = [];
  const recovered = outbox.readEntries().filter(({ status }) => status === 'PENDING');
  const waiters = createCommitmentWaiters();
  const stopping = new AbortController();
  let obstacle: LedgerError | undefined;
  const onObstacle = (cause: unknown): void => {
    obstacle = toObstacle(cause);
  };
  const { signal } = stopping;
  const { commit } = createCommitter({ ...options, onCompleted: waiters.resolve, onObstacle, signal });
  let running: Promise<void> | undefined;

  // One batch on its way to the chain, and a bounded number between chain and index: one where blocks are final at once.
  const uncompleted: Promise<void>[] = [];
  const commitNext = async (entries: OutboxEntry[], isRecovered: boolean): Promise<void> => {
    const { completed } = await commit(takeBatch(entries, options), isRecovered);
    uncompleted.push(completed);
    if (uncompleted.length > options.minedBatchesMax) await uncompleted.shift();
  };
  // Nothing may come between the last look at the queue and the end of the run, or nobody would wake it for what came.
  const run = async (): Promise<void> => {
    try {
      while (recovered.length > 0 && !stopping.signal.aborted) await commitNext(recovered, true);
      while (queue.length > 0 && !stopping.signal.aborted) await commitNext(queue, false);
    } catch (cause) {
      if (!stopping.signal.aborted) onProblem('the writer gave up; what waits is in the outbox', cause);
    }
    running = undefined;
  };
  const wake = (): void => {
    running ??= Promise.resolve().then(run);
  };
  wake();
  // Settled when all that came so far is durable or refused.
  let accepted: Promise<void> = Promise.resolve();

  return {
    append: async (tenantIdentity, record) => {
      if (stopping.signal.aborted) throw new LedgerError('STOPPING');
      options.assertWritable(tenantIdentity);
      if (obstacle !== undefined) throw obstacle;
      const accepting = outbox.accept(tenantIdentity, record, toFittingPayload(record));
      // Without its results, which would keep every record that ever came.
      accepted = Promise.allSettled([accepted, accepting]).then(() => undefined);
      const entry = await accepting;
      // Nothing completes the entry any more; it stays in the outbox.
      if (stopping.signal.aborted) return toUncommitted('PENDING');
      const commitment = waiters.wait(entry.sequence, options.waitMs);
      queue.push(entry);
      wake();
      return commitment;
    },
    flush: () => accepted,
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(uncompleted);
      waiters.resolveAll(toUncommitted('PENDING'));
    },
  };
};

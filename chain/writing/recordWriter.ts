// The write path: a record goes to the outbox, then in a batch to the chain, then to the index, and then the request is
// answered. Where a mined transaction is durable, a record that is committed soon skips the outbox. While one batch is
// in flight the next gathers; an idle writer adds no waiting time.
import { LedgerError, type LedgerErrorCode, refuseField } from '../../ledger/errors.ts';
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';
import { encodePayload, type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';
import type { RecordAppender } from '../port.ts';
import { createCommitmentWaiters } from './commitmentWaiters.ts';
import { type CommitterDeps, createCommitter } from './committer.ts';
import { type OutboxEntry, streamKeyOf } from './outboxEntries.ts';
import { createDeferredStoring, createImmediateStoring, type RecordStoring } from './recordStoring.ts';

/** The write path of a ledger. */
export interface RecordWriter extends RecordAppender {
  /**
   * Refuses new records, completes the batch in flight, and answers waiting requests with PENDING: the outbox keeps the
   * rest.
   */
  stop(): Promise<void>;
}

/** Options of a record writer. */
export interface RecordWriterOptions
  extends Omit<CommitterDeps, 'onCompleted' | 'onDisplaced' | 'onObstacle' | 'signal'> {
  /** Throws when this server has no wallet that can sign for the tenant. */
  readonly assertWritable: (tenantIdentity: string) => unknown;
  /** Milliseconds that `append` waits for the commitment before it resolves with PENDING. */
  readonly waitMs: number;
  readonly batchRecordsMax: number;
  /** Payload bytes of one batch. A larger record has a batch of its own. */
  readonly batchBytesMax: number;
  /** Batches that may be mined and not yet completed while the next is submitted. */
  readonly minedBatchesMax: number;
  /**
   * Milliseconds after which a record that is not committed is stored in the outbox. Only for a chain on which a
   * transaction is durable and final when `submit` resolves. Undefined: a record is stored before it is submitted.
   */
  readonly storeAfterMs?: number | undefined;
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

// Removes entries from the queue, with the later ones of their streams, which may have been checked as if their stream
// had these. Returns them. Other entries than those in the queue are submitted already.
const withdraw = (queue: OutboxEntry[], entries: ReadonlySet<OutboxEntry>): OutboxEntry[] => {
  const streams = new Set<string>();
  const [taken, rest]: [OutboxEntry[], OutboxEntry[]] = [[], []];
  for (const entry of queue) {
    if (entries.has(entry)) streams.add(streamKeyOf(entry));
    (streams.has(streamKeyOf(entry)) ? taken : rest).push(entry);
  }
  queue.splice(0, queue.length, ...rest);
  return taken;
};

const toFittingPayload = (record: LedgerRecord): Uint8Array => {
  const payload = encodePayload(record);
  if (payload.length <= PAYLOAD_BYTES_MAX) return payload;
  const description = `results in a record of ${payload.length} bytes; the limit is ${PAYLOAD_BYTES_MAX} bytes`;
  throw refuseField('RECORD_TOO_LARGE', 'body', description);
};

// With these errors no record reaches the chain until the operator acts, so no record is accepted.
const OBSTACLES: readonly LedgerErrorCode[] = ['RELAYER_UNFUNDED', 'CHAIN_MISMATCH'];
const toObstacle = (cause: unknown): LedgerError | undefined =>
  cause instanceof LedgerError && OBSTACLES.includes(cause.code) ? cause : undefined;

const createStoring = ({ outbox, storeAfterMs }: RecordWriterOptions, queue: OutboxEntry[]): RecordStoring =>
  storeAfterMs === undefined
    ? createImmediateStoring(outbox)
    : createDeferredStoring({ outbox, delayMs: storeAfterMs, withdraw: (entries) => withdraw(queue, entries) });

// Commits batches of the queue while it has entries, after those of `recovered`.
const createRunner = (
  options: RecordWriterOptions,
  commit: ReturnType<typeof createCommitter>['commit'],
  queues: { recovered: OutboxEntry[]; queue: OutboxEntry[] },
  signal: AbortSignal,
) => {
  const { recovered, queue } = queues;
  let running: Promise<void> | undefined;
  // One batch is being submitted, and a limited number is mined and not yet completed: one where blocks are final at
  // once.
  const uncompleted: Promise<void>[] = [];
  const commitNext = async (entries: OutboxEntry[], isRecovered: boolean): Promise<void> => {
    const { completed } = await commit(takeBatch(entries, options), isRecovered);
    uncompleted.push(completed);
    if (uncompleted.length > options.minedBatchesMax) await uncompleted.shift();
  };
  // No code may run between the last check of the queue and the end of the run: entries that it added would not start
  // another run.
  const run = async (): Promise<void> => {
    try {
      while (recovered.length > 0 && !signal.aborted) await commitNext(recovered, true);
      while (queue.length > 0 && !signal.aborted) await commitNext(queue, false);
    } catch (cause) {
      if (!signal.aborted) options.onProblem('the writer stopped; the outbox keeps the waiting records', cause);
    }
    running = undefined;
  };
  return {
    wake: (): void => {
      running ??= Promise.resolve().then(run);
    },
    /** Resolves when the batches in progress are complete. */
    end: async (): Promise<void> => {
      await running;
      await Promise.all(uncompleted);
    },
  };
};

/** Starts the writer. It first submits what the outbox still contains. */
export const createRecordWriter = (options: RecordWriterOptions): RecordWriter => {
  const { outbox, storeAfterMs } = options;
  const queue: OutboxEntry[] = [];
  const storing = createStoring(options, queue);
  const recovered = outbox.readEntries().filter(({ status }) => status === 'PENDING');
  const waiters = createCommitmentWaiters();
  const stopping = new AbortController();
  const { signal } = stopping;
  let obstacle: LedgerError | undefined;
  const onObstacle = (cause: unknown): void => {
    obstacle = toObstacle(cause);
  };
  const onCompleted: CommitterDeps['onCompleted'] = (sequence, commitment) => {
    waiters.resolve(sequence, commitment);
    storing.complete(sequence);
  };
  const onDisplaced: CommitterDeps['onDisplaced'] = (sequence, error) => {
    const isWaiting = waiters.reject(sequence, error);
    storing.complete(sequence);
    return isWaiting;
  };
  const { commit } = createCommitter({ ...options, onCompleted, onDisplaced, onObstacle, signal });
  const { wake, end } = createRunner(options, commit, { recovered, queue }, signal);
  wake();
  // Resolves when all entries so far are durable or refused, without results: they would keep every record in memory.
  let accepted: Promise<void> = Promise.resolve();

  const awaitCommitment = async (entry: OutboxEntry): Promise<Commitment> => {
    const stored = storing.add(entry);
    accepted = Promise.allSettled([accepted, stored]).then(() => undefined);
    if (storeAfterMs === undefined) await stored;
    // Nothing completes the entry any more; it stays in the outbox.
    if (signal.aborted) return toUncommitted('PENDING');
    const commitment = waiters.wait(entry.sequence, options.waitMs, stored);
    queue.push(entry);
    wake();
    return commitment;
  };
  const begin: RecordWriter['begin'] = (tenantIdentity, record) => {
    if (signal.aborted) throw new LedgerError('STOPPING');
    options.assertWritable(tenantIdentity);
    if (obstacle !== undefined) throw obstacle;
    return awaitCommitment(outbox.admit(tenantIdentity, record, toFittingPayload(record)));
  };

  return {
    begin,
    append: async (tenantIdentity, record) => begin(tenantIdentity, record),
    flush: () => accepted,
    stop: async () => {
      stopping.abort();
      await end();
      await storing.stop();
      waiters.endAll();
    },
  };
};

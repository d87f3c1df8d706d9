// The write path: a record goes to the outbox, then in a batch to the chain, then to the index, and then the request is
// answered. Where a mined transaction is durable, a record that is committed soon skips the outbox.
import { LedgerError, type LedgerErrorCode, refuseField } from '../../ledger/errors.ts';
import { type Commitment, toUncommitted } from '../../ledger/records/commitment.ts';
import { encodePayload, type LedgerRecord, PAYLOAD_BYTES_MAX } from '../../ledger/records/record.ts';
import type { RecordAppender } from '../port.ts';
import { type BatchRunnerOptions, createBatchRunner } from './batchRunner.ts';
import { type CommitmentWaiters, createCommitmentWaiters } from './commitmentWaiters.ts';
import { type CommitterDeps, createCommitter } from './committer.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import { createParkedEntries, type ParkingOptions } from './parkedEntries.ts';
import type { RecordQuota } from './recordQuota.ts';
import { createDeferredStoring, createImmediateStoring, type RecordStoring } from './recordStoring.ts';
import { createStreamQueue, type StreamQueue } from './streamQueue.ts';

/** How many records wait because this server can't sign for their tenants, and of how many tenants. */
export interface ParkedCount {
  readonly records: number;
  readonly tenants: number;
}

/** The write path of a ledger. */
export interface RecordWriter extends RecordAppender {
  /**
   * Refuses new records, completes the batch in flight, and answers waiting requests with PENDING: the outbox keeps the
   * rest.
   */
  stop(): Promise<void>;
  /**
   * Why no record is accepted until the operator acts: RELAYER_UNFUNDED, CHAIN_MISMATCH or CHAIN_REPLACED; undefined:
   * they are.
   */
  findObstacle(): LedgerError | undefined;
  /** The records that wait in the outbox because this server can't sign for their tenants. */
  countParked(): ParkedCount;
  /** Submits those of them whose tenants it can sign for by now. */
  resumeParked(): void;
}

/** Options of a record writer. */
export interface RecordWriterOptions
  extends Omit<CommitterDeps, 'onCompleted' | 'onDisplaced' | 'onObstacle' | 'signal'>,
    Omit<BatchRunnerOptions, 'commit' | 'awaitCalm' | 'queue' | 'parked' | 'lastRecovered' | 'signal'>,
    Partial<Pick<ParkingOptions, 'findUnsignable'>> {
  /** Throws when this server has no wallet that can sign for the tenant. */
  readonly assertWritable: (tenantIdentity: string) => unknown;
  /** Counts each record; undefined: there is no quota. */
  readonly quota?: RecordQuota | undefined;
  /** Milliseconds that `append` waits for the commitment before it resolves with PENDING. */
  readonly waitMs: number;
  /**
   * Milliseconds after which a record that is not committed is stored in the outbox. Only for a chain on which a
   * transaction is durable and final when `submit` resolves. Undefined: a record is stored before it is submitted.
   */
  readonly storeAfterMs?: number | undefined;
}

const toFittingPayload = (record: LedgerRecord): Uint8Array => {
  const payload = encodePayload(record);
  if (payload.length <= PAYLOAD_BYTES_MAX) return payload;
  const description = `results in a record of ${payload.length} bytes; the limit is ${PAYLOAD_BYTES_MAX} bytes`;
  throw refuseField('RECORD_TOO_LARGE', 'body', description);
};

// With these errors no record reaches the chain until the operator acts, so no record is accepted.
const OBSTACLES: readonly LedgerErrorCode[] = ['RELAYER_UNFUNDED', 'CHAIN_MISMATCH', 'CHAIN_REPLACED'];
const toObstacle = (cause: unknown): LedgerError | undefined =>
  cause instanceof LedgerError && OBSTACLES.includes(cause.code) ? cause : undefined;

const createStoring = (
  { outbox, storeAfterMs }: RecordWriterOptions,
  queue: StreamQueue,
  { rejectLate }: Pick<CommitmentWaiters, 'rejectLate'>,
): RecordStoring =>
  storeAfterMs === undefined
    ? createImmediateStoring(outbox)
    : createDeferredStoring({ outbox, delayMs: storeAfterMs, withdraw: queue.withdraw, onUndecided: rejectLate });

// What `flush` waits for: that all entries so far are durable or answered. Without results, which would keep every
// record in memory.
const createFlushing = ({ findFailure }: RecordStoring) => {
  let accepted: Promise<void> = Promise.resolve();
  return {
    add: (settled: Promise<unknown>): void => {
      accepted = Promise.allSettled([accepted, settled]).then(() => undefined);
    },
    flush: async (): Promise<void> => {
      await accepted;
      const failure = findFailure();
      if (failure !== undefined) throw failure;
    },
  };
};

// What is refused, at once or later, doesn't count for the quota of its tenant.
const givingBack = (giveBack: (() => void) | undefined, accept: () => Promise<Commitment>): Promise<Commitment> => {
  if (giveBack === undefined) return accept();
  try {
    const accepted = accept();
    accepted.then(({ confirmation_status: status }) => status === 'FAILED' && giveBack(), giveBack);
    return accepted;
  } catch (refusal) {
    giveBack();
    throw refusal;
  }
};

// A queue of what waits in the outbox since before the start, and the last sequence of it.
const queueRecovered = ({ outbox, transactionsInFlight }: RecordWriterOptions) => {
  const recovered = outbox.readEntries().filter(({ status }) => status === 'PENDING');
  const lastRecovered = recovered.at(-1)?.sequence ?? 0;
  const queue = createStreamQueue(transactionsInFlight > 1, lastRecovered);
  for (const entry of recovered) queue.push(entry);
  return { queue, lastRecovered };
};

// Later entries of a stream whose first ones are parked wait in the queue.
const countParked = (tenants: readonly string[], outbox: Outbox): ParkedCount => ({
  records: tenants.reduce((sum, tenantIdentity) => sum + outbox.pendingOf(tenantIdentity).count, 0),
  tenants: tenants.length,
});

/** Starts the writer. It first submits what the outbox still contains. */
export const createRecordWriter = (options: RecordWriterOptions): RecordWriter => {
  const { outbox, storeAfterMs, findUnsignable = () => undefined, onProblem } = options;
  const { queue, lastRecovered } = queueRecovered(options);
  const waiters = createCommitmentWaiters();
  const storing = createStoring(options, queue, waiters);
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
  const committer = createCommitter({ ...options, onCompleted, onDisplaced, onObstacle, signal });
  const parked = createParkedEntries({ findUnsignable, onProblem });
  const { wake, end } = createBatchRunner({ ...options, ...committer, queue, parked, lastRecovered, signal });
  wake();
  const flushing = createFlushing(storing);

  const awaitCommitment = async (entry: OutboxEntry): Promise<Commitment> => {
    const stored = storing.add(entry);
    if (storeAfterMs === undefined) {
      flushing.add(stored);
      await stored;
    }
    // Nothing completes the entry any more; it stays in the outbox.
    if (signal.aborted) return toUncommitted('PENDING');
    const commitment = waiters.wait(entry.sequence, options.waitMs, stored);
    if (storeAfterMs !== undefined) flushing.add(Promise.race([stored, commitment]));
    queue.push(entry);
    wake();
    return commitment;
  };
  const begin: RecordWriter['begin'] = (tenantIdentity, record) => {
    if (signal.aborted) throw new LedgerError('STOPPING');
    options.assertWritable(tenantIdentity);
    const refusal = obstacle ?? storing.findFailureOf(tenantIdentity, record.identity);
    if (refusal !== undefined) throw refusal;
    const payload = toFittingPayload(record);
    const giveBack = options.quota?.take(tenantIdentity, record.type, payload.length);
    return givingBack(giveBack, () => awaitCommitment(outbox.admit(tenantIdentity, record, payload)));
  };

  return {
    begin,
    append: async (tenantIdentity, record) => begin(tenantIdentity, record),
    flush: flushing.flush,
    findObstacle: () => obstacle,
    countParked: () => countParked(parked.tenants(), outbox),
    resumeParked: () => {
      parked.resume();
      wake();
    },
    stop: async () => {
      stopping.abort();
      await end();
      await storing.stop();
      waiters.endAll();
    },
  };
};

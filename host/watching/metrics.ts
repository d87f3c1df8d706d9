// The metrics for Prometheus, in a registry of its own. Labels are operations of the interface and statuses, never text
// of a client, so the number of series is bounded. Gauges are read when the metrics are requested.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SignedHead } from '../../chain/blockLog/blockLog.ts';
import type { RecordAppender } from '../../chain/port.ts';
import type { RecordWriter } from '../../chain/writing/recordWriter.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { BlobStore } from '../../server/blobs/blobStore.ts';
import type { ConnectionClosing } from '../../server/http/connectionLimits.ts';
import type { AnsweredRequest } from '../../server/http/requestObserver.ts';
import type { Port } from '../settings/descriptors.ts';
import type { LedgerState } from './ledgerState.ts';
import { createNodeMetrics, type WatchNodes } from './nodeMetrics.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly onAnswered: (answered: AnsweredRequest) => void;
  /** Called when a limit on connections closes one. */
  readonly onConnectionClosing: (port: Port, closing: ConnectionClosing) => void;
  /** Called with the records of each batch that is submitted to the chain. */
  readonly onBatch: (records: readonly unknown[]) => void;
  /** Called after each attempt of a batch to reach the chain that failed. */
  readonly onFailedAttempt: () => void;
  /** Wraps a writer to measure the time of each record. */
  watchWriter(writer: RecordWriter): RecordWriter;
  /** Wraps a blob store to count the uploads in progress. */
  watchBlobs(blobs: BlobStore): BlobStore;
  /** Adds gauges of the checkpoints of the block log. `now` is in milliseconds since the epoch. */
  watchBlockLog(heads: BlockLogHeads, now: () => number): void;
  /** Adds metrics of the nodes of a network. */
  watchNodes: WatchNodes;
  /** Adds gauges of the state of a ledger. */
  watchLedger(readState: ReadState): void;
}

/** The checkpoints of a block log; undefined before the first one. */
export interface BlockLogHeads {
  /** The newest one that the log signed. */
  readonly newest: () => SignedHead | undefined;
  /** The one that is shown: with witnesses the newest one with a quorum. */
  readonly shown: () => SignedHead | undefined;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const RECORDS = [1, 2, 5, 10, 20, 50, 100, 200];
const NO_OPERATION = 'none';
/** Sums of nodejs_active_handles and its like: no counters, whose suffix they have, so that promtool refuses them. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

const createHistograms = (registry: Registry) => ({
  requests: new Histogram({
    name: 'ledger_http_request_duration_seconds',
    help: 'Requests by operation and status, and the time until their responses were sent',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers: [registry],
  }),
  batches: new Histogram({
    name: 'ledger_batch_records',
    help: 'Records of the batches that went to the chain',
    buckets: RECORDS,
    registers: [registry],
  }),
  commits: new Histogram({
    name: 'ledger_commit_duration_seconds',
    help: 'Time from the arrival of a record until its status is answered: CONFIRMED, PENDING or FAILED',
    labelNames: ['status'],
    buckets: SECONDS,
    registers: [registry],
  }),
});

const createConnectionCounter = (registry: Registry) =>
  new Counter({
    name: 'ledger_connections_closed_total',
    help: 'Connections that a limit closed: refused new ones, idle or slow ones that new ones displaced, and unread ones',
    labelNames: ['port', 'closing'],
    registers: [registry],
  });

const createAttemptCounter = (registry: Registry) =>
  new Counter({
    name: 'ledger_failed_attempts_total',
    help: 'Attempts to submit records to the chain, or to complete them, that failed and were repeated',
    registers: [registry],
  });

type ReadState = () => Promise<LedgerState>;

// All gauges of one collection share one reading.
const shareWhileReading = (readState: ReadState): ReadState => {
  let reading: Promise<LedgerState> | undefined;
  return () => {
    reading ??= readState().finally(() => {
      reading = undefined;
    });
    return reading;
  };
};

const GAUGES: readonly (readonly [name: string, help: string, pick: (state: LedgerState) => number | undefined])[] = [
  [
    'chain_up',
    'Whether the chain answers and accepts transactions of this server: 1 or 0',
    ({ chainBlock, chainIssue, replaced, obstacle }) =>
      [chainIssue, replaced, obstacle].every((issue) => issue === undefined) && chainBlock !== undefined ? 1 : 0,
  ],
  [
    'chain_replaced',
    'Whether the chain has replaced a block that was final (CHAIN_REPLACED): 1 or 0',
    ({ replaced }) => (replaced === undefined ? 0 : 1),
  ],
  [
    'author_unproved',
    'Whether the chain has a record that an author of this server did not sign (AUTHOR_UNPROVED): 1 or 0',
    ({ unprovenBlock }) => (unprovenBlock === undefined ? 0 : 1),
  ],
  [
    'chain_height_blocks',
    'Newest final block of the chain; the last known one while it does not answer',
    ({ chainBlock, indexBlock }) => chainBlock ?? indexBlock,
  ],
  ['index_height_blocks', 'Newest block that the index has', ({ indexBlock }) => indexBlock],
  [
    'index_lag_blocks',
    'Blocks that the index is behind the chain',
    ({ chainBlock, indexBlock }) => (chainBlock === undefined ? undefined : Math.max(0, chainBlock - indexBlock)),
  ],
  [
    'chain_stalled',
    'Whether the chain has stalled (CHAIN_STALLED): 1 or 0',
    ({ progress }) => (progress?.stall === undefined ? 0 : 1),
  ],
  [
    'chain_head_timestamp_seconds',
    'Time of the newest block of a network, final or not, since 1970',
    ({ progress }) => progress?.head?.timestampSeconds,
  ],
  [
    'engine_up',
    'Whether the engine of the embedded chain has the whole chain: 1 or 0',
    ({ engine }) => engine && Number(engine.isReady),
  ],
  ['engine_ended', 'Engines of the embedded chain that have ended by themselves', ({ engine }) => engine?.endedCount],
  [
    'engine_memory_bytes',
    'Memory of the process of the engine of the embedded chain; 0 when it is inside',
    ({ engine }) => engine?.memoryBytes,
  ],
  [
    'sandbox_ended',
    'Processes for the code of third parties that have ended by themselves',
    ({ sandbox }) => sandbox?.endedCount,
  ],
  [
    'sandbox_memory_bytes',
    'Memory of the processes for the code of third parties; 0 before they are needed',
    ({ sandbox }) => sandbox?.memoryBytes,
  ],
  [
    'unavailable_authors',
    "Tenants whose writes are refused because this server's key is not one of their writers",
    ({ unavailableAuthors }) => unavailableAuthors,
  ],
  ['newer_records', 'Records whose format this version can not read', ({ newerRecords }) => newerRecords?.count ?? 0],
  [
    'memory_reserved',
    'Whether records are refused because too little memory is free (MEMORY_RESERVED): 1 or 0',
    ({ isMemoryReserved }) => (isMemoryReserved ? 1 : 0),
  ],
  [
    'outbox_pending_records',
    'Records that were accepted and are not on the chain yet',
    ({ outboxPending }) => outboxPending,
  ],
  [
    'outbox_parked_records',
    'Records that were accepted and wait because this server can not sign for their tenants',
    ({ parked }) => parked.records,
  ],
  ['outbox_failed_records', 'Records that the chain refused', ({ outboxFailed }) => outboxFailed],
  [
    'gone_records',
    'Records that were final and are no longer on the chain (RECORDS_GONE)',
    ({ goneRecords }) => goneRecords,
  ],
  ['outbox_up', 'Whether the outbox accepts records: 1 or 0', ({ outboxIssue }) => (outboxIssue === undefined ? 1 : 0)],
];

const createLedgerGauges = (registry: Registry, readState: ReadState): void => {
  const readShared = shareWhileReading(readState);
  for (const [name, help, pick] of GAUGES) {
    new Gauge({
      name: `ledger_${name}`,
      help,
      registers: [registry],
      // A gauge that can't be read keeps its value; chain_up is 0 then.
      async collect() {
        const value = pick(await readShared());
        if (value !== undefined) this.set(value);
      },
    });
  }
};

type ReadHeads = (heads: BlockLogHeads, nowSeconds: number) => number;

// Without a checkpoint there is no age, so that an alert on it isn't silent: it is that of the year 1970.
const toAgeSeconds = (head: SignedHead | undefined, nowSeconds: number): number =>
  Math.max(0, nowSeconds - (head?.signedAtSeconds ?? 0));

const LOG_GAUGES: readonly (readonly [name: string, help: string, read: ReadHeads])[] = [
  [
    'block_log_blocks',
    'Blocks that the newest checkpoint of the block log covers',
    ({ newest }) => newest()?.size ?? 0,
  ],
  [
    'checkpoint_age_seconds',
    'Time since the block log signed its newest checkpoint; since 1970 before the first one',
    ({ newest }, nowSeconds) => toAgeSeconds(newest(), nowSeconds),
  ],
  [
    'shown_checkpoint_age_seconds',
    'Time since the block log signed the checkpoint that is shown: with witnesses the newest one with a quorum',
    ({ shown }, nowSeconds) => toAgeSeconds(shown(), nowSeconds),
  ],
  [
    'shown_checkpoint_lag_blocks',
    'Blocks that the checkpoint that is shown lacks of the newest one',
    ({ newest, shown }) => (newest()?.size ?? 0) - (shown()?.size ?? 0),
  ],
];

const createBlockLogGauges = (registry: Registry, heads: BlockLogHeads, now: () => number): void => {
  for (const [name, help, read] of LOG_GAUGES) {
    new Gauge({
      name: `ledger_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(heads, now() / 1_000));
      },
    });
  }
};

const createWatchBlobs =
  (registry: Registry): Metrics['watchBlobs'] =>
  (blobs) => {
    const uploads = new Gauge({ name: 'ledger_uploads_in_flight', help: 'Uploads in progress', registers: [registry] });
    return {
      ...blobs,
      stage: async (...upload) => {
        uploads.inc();
        try {
          return await blobs.stage(...upload);
        } finally {
          uploads.dec();
        }
      },
    };
  };

/** Metrics of this process and of the ledger that it serves. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const { requests, batches, commits } = createHistograms(registry);
  const connections = createConnectionCounter(registry);
  const failedAttempts = createAttemptCounter(registry);
  return {
    registry,
    onAnswered: ({ operationId = NO_OPERATION, status, durationMs }) =>
      requests.observe({ operation: operationId, status }, durationMs / 1000),
    onConnectionClosing: (port, closing) => connections.inc({ port, closing }),
    onBatch: ({ length }) => batches.observe(length),
    onFailedAttempt: () => failedAttempts.inc(),
    watchWriter: (writer) => {
      const begin: RecordAppender['begin'] = (tenantIdentity, record) => {
        const beganMs = performance.now();
        const observe = ({ confirmation_status: status }: Commitment): void =>
          commits.observe({ status }, (performance.now() - beganMs) / 1000);
        const commitment = writer.begin(tenantIdentity, record);
        commitment.then(observe, () => undefined);
        return commitment;
      };
      return { ...writer, begin, append: async (tenantIdentity, record) => begin(tenantIdentity, record) };
    },
    watchBlobs: createWatchBlobs(registry),
    watchBlockLog: (heads, now) => createBlockLogGauges(registry, heads, now),
    watchNodes: (...readers) => createNodeMetrics(registry, ...readers),
    watchLedger: (readState) => createLedgerGauges(registry, readState),
  };
};

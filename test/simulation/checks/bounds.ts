// Bounds of queues and other collections, watched during the run: batches, records and requests that wait, and
// transactions in the pools of nodes.
import type { Outbox } from '../../../chain/writing/outbox.ts';
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import type { ChainOfRun } from '../chains/chainKind.ts';
import type { Fault, Plan, Violation } from '../plan/plan.ts';
import type { Machine } from '../server/machine.ts';
import type { OpenServer } from '../server/serverProcess.ts';
import { currentProcess, type SimulatedProcess } from '../world/processes.ts';
import type { World } from '../world/world.ts';
import { type CollectionName, readSize, WATCHED_COLLECTIONS } from './watchedCollections.ts';

/** Compares sizes with their bounds. */
export interface Bounds {
  /** The server that accepts requests submits these records in one transaction; undefined while it starts. */
  onBatch(records: readonly SubmittedRecord[], server: OpenServer | undefined): void;
  /** Reads the sizes of this moment. */
  observe(server: OpenServer | undefined, chain: ChainOfRun): void;
  /** The sizes that exceeded their bounds. */
  check(): Violation[];
}

const WATCH_MS = 50;
/** Faults that send a transaction from the relayer's account. */
const RELAYER_FAULTS: readonly string[] = ['foreignNonce', 'emptyRelayer'];

// Every waiting request and every waiting record belongs to a pending record.
const OF_PENDING: readonly CollectionName[] = ['requests that wait for a commitment', 'records that wait for a batch'];

// A process also fills the nonces of earlier ones that a reorg has left missing.
const OF_NONCES: readonly CollectionName[] = ['nonces in use', 'transactions that are not final'];

// Batches that the outbox still has records of. A part of a batch that is submitted again belongs to that batch.
const createBatchWatch = () => {
  const numbers = new WeakMap<SubmittedRecord, number>();
  let last = 0;
  return {
    add: (records: readonly SubmittedRecord[]): void => {
      if (numbers.has(records[0]!)) return;
      last += 1;
      for (const record of records) numbers.set(record, last);
    },
    countUncompleted: (outbox: Outbox): number =>
      new Set(outbox.readEntries().flatMap((entry) => numbers.get(entry) ?? [])).size,
  };
};

// Submissions of batches and of their parts, by all processes of a run. The first start sends one more call: it deploys
// the contract, and then registers the tenant.
const createSubmissionCounts = ({ settings }: Plan) => {
  const first = settings.isFirstStart ?? 0;
  const ofProcesses = new WeakMap<SimulatedProcess, number>();
  let all = first;
  return {
    add: (process: SimulatedProcess | undefined): void => {
      all += 1;
      if (process !== undefined) ofProcesses.set(process, (ofProcesses.get(process) ?? 0) + 1);
    },
    ofProcess: (process: SimulatedProcess): number => first + (ofProcesses.get(process) ?? 0),
    all: (): number => all,
  };
};

const toBytes = (records: readonly SubmittedRecord[]): number =>
  records.reduce((sum, { payload }) => sum + payload.length, 0);

/** The bounds of a run; no size was seen yet. */
export const createBounds = (plan: Plan): Bounds => {
  const { outboxEntriesMax, batchRecordsMax, batchBytesMax, minedBatchesMax } = plan.settings;
  // Some are submitted, and the others are mined. A block of the embedded chain is final at once.
  const { transactionsInFlight = LEDGER_LIMITS.transactionsInFlight } = plan.settings;
  const batchesMax = plan.chain === 'embedded' ? 2 : transactionsInFlight + minedBatchesMax!;
  const submissions = createSubmissionCounts(plan);
  // Nonces besides one for each submission. Stray transactions keep theirs when others make the same calls, and so do
  // those whose nonce followed from a count that was too high. The server fills those that are missing before these.
  const toOthers = ({ kind, nonces, lie }: Fault): number => {
    if (lie === 'highTransactionCount') return submissions.all();
    if (kind === 'strayTransactions') return Number(nonces) + submissions.all();
    return RELAYER_FAULTS.includes(kind) ? 1 : 0;
  };
  const worst = new Map<string, { size: number; max: number }>();
  const compare = (what: string, size: number, max: number): void => {
    if (size > max && size > (worst.get(what)?.size ?? 0)) worst.set(what, { size, max });
  };
  const batches = createBatchWatch();
  const countOthers = (): number => plan.faults.reduce((sum, fault) => sum + toOthers(fault), 0);
  const observeServer = ({ process, ledger: { outbox } }: OpenServer): void => {
    const others = countOthers();
    const pending = outbox.pendingCount();
    compare('records in the outbox', pending, outboxEntriesMax!);
    for (const name of OF_PENDING) compare(name, readSize(process, name), pending);
    const calls = 'calls that are not final';
    compare(calls, readSize(process, calls), submissions.ofProcess(process));
    for (const name of OF_NONCES) compare(name, readSize(process, name), submissions.all() + others);
  };
  return {
    onBatch: (records, server) => {
      batches.add(records);
      submissions.add(currentProcess());
      compare('records in a batch', records.length, batchRecordsMax!);
      // A larger record has a batch of its own.
      if (records.length > 1) compare('bytes in a batch', toBytes(records), batchBytesMax!);
      if (server !== undefined)
        compare('batches not completed', batches.countUncompleted(server.ledger.outbox), batchesMax);
    },
    observe: (server, chain) => {
      if (server !== undefined) observeServer(server);
      const waiting = chain.countWaiting();
      if (waiting === 0) return;
      compare('nonces that wait in pools', waiting, submissions.all() + countOthers());
    },
    check: () =>
      [...worst].map(([what, { size, max }]) => ({
        check: 'queues keep their bounds',
        text: `${size} ${what}, not at most ${max}`,
      })),
  };
};

/** Watches the queues of a run until it ends. */
export const watchBounds = (
  bounds: Bounds,
  { world, machine, chain }: { world: World; machine: Machine; chain: ChainOfRun },
): void => {
  const watch = (): void => {
    bounds.observe(machine.server(), chain);
    world.schedule(WATCH_MS, watch);
  };
  watch();
};

/** What the server of a ledger at rest still keeps in memory of requests, records and transactions. */
export const findKept = ({ process, ledger: { outbox } }: OpenServer): string[] =>
  WATCHED_COLLECTIONS.flatMap(({ name }) => {
    const size = readSize(process, name);
    const sizeMax = name === 'streams with records in the outbox' ? outbox.failedCount() : 0;
    return size > sizeMax ? [`${size} ${name}`] : [];
  });

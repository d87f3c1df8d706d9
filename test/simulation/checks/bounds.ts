// Bounds of queues, watched during the run: of records that wait, of records in a batch, of transactions in a pool.
import type { ChainOfRun } from '../chains/chainKind.ts';
import type { Plan, Violation } from '../plan/plan.ts';
import type { Machine } from '../server/machine.ts';
import type { World } from '../world/world.ts';

/** Records the largest sizes of a run's queues. */
export interface Bounds {
  /** The server submits a batch of so many records. */
  onBatch(records: number): void;
  /** The outbox has so many pending records. */
  onPending(records: number): void;
  /** So many transactions of the server wait in the pool. */
  onWaiting(transactions: number): void;
  /** The sizes that exceed their bounds. */
  check(): Violation[];
}

const WATCH_MS = 50;
/** Batches that may be mined and not final, and the one that is being submitted, with its replacements elsewhere. */
const TRANSACTIONS_MAX = 70;

/** No size was seen yet. */
export const createBounds = ({ outboxEntriesMax, batchRecordsMax }: Plan['settings']): Bounds => {
  const most = { batch: 0, pending: 0, waiting: 0 };
  const onSize =
    (name: keyof typeof most) =>
    (size: number): void => {
      most[name] = Math.max(most[name], size);
    };
  return {
    onBatch: onSize('batch'),
    onPending: onSize('pending'),
    onWaiting: onSize('waiting'),
    check: () => {
      const texts = [
        ...(most.batch > batchRecordsMax! ? [`a batch has ${most.batch} records, not at most ${batchRecordsMax}`] : []),
        ...(most.pending > outboxEntriesMax! ? [`${most.pending} records wait, not at most ${outboxEntriesMax}`] : []),
        ...(most.waiting > TRANSACTIONS_MAX ? [`${most.waiting} transactions wait in the pool`] : []),
      ];
      return texts.map((text) => ({ check: 'queues keep their bounds', text }));
    },
  };
};

/** Watches the queues of a run until it ends. */
export const watchBounds = (
  bounds: Bounds,
  { world, machine, chain }: { world: World; machine: Machine; chain: ChainOfRun },
): void => {
  const watch = (): void => {
    bounds.onPending(machine.server()?.ledger.outbox.pendingCount() ?? 0);
    bounds.onWaiting(chain.findUnfinished().length);
    world.schedule(WATCH_MS, watch);
  };
  watch();
};

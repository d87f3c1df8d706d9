// Takes batches of the queue and commits them, several side by side where the chain takes several transactions at once.
// While all that may be in flight are, the next batch gathers. An idle runner adds no waiting time.
import { raiseIfMistake } from '../defects.ts';
import type { MeasuredRecord } from './appendGas.ts';
import type { Committed } from './backgroundCompletion.ts';
import type { Committer } from './committer.ts';
import { type OutboxEntry, streamKeyOf } from './outboxEntries.ts';
import type { ParkedEntries } from './parkedEntries.ts';
import type { StreamQueue } from './streamQueue.ts';

/** Options of a runner. */
export interface BatchRunnerOptions extends Committer {
  readonly queue: StreamQueue;
  /** Takes the entries out of each batch that can't be signed for. */
  readonly parked: ParkedEntries;
  /** Resolves when batches can be submitted. Undefined: at once. Rejects with the reason of `signal`. */
  readonly whenReady?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Sequence of the last entry of an earlier process: the chain may have the entries up to it. */
  readonly lastRecovered: number;
  readonly batchRecordsMax: number;
  /** The same while several tenants write: each of them waits for the batch in flight and for its own. */
  readonly sharedBatchRecordsMax: number;
  /** Payload bytes of one batch. A larger record has a batch of its own. */
  readonly batchBytesMax: number;
  /** Returns a function that counts the records of one transaction: whether the next one still fits. */
  readonly measureTransaction?: (() => (record: MeasuredRecord) => boolean) | undefined;
  /** Batches that may be submitted and not yet mined. */
  readonly transactionsInFlight: number;
  /** Batches that may be mined and not yet completed while the next is submitted. */
  readonly minedBatchesMax: number;
  readonly onProblem: (message: string, cause?: unknown) => void;
  readonly signal: AbortSignal;
}

/** Commits the batches of one queue. */
export interface BatchRunner {
  /** Must be called after entries were added to the queue, and after parked ones were resumed. */
  wake(): void;
  /** Resolves when the batches in progress are complete. */
  end(): Promise<void>;
}

/** Longest time that a batch gathers while another one is in flight, in milliseconds. */
const LINGER_MS = 50;

// Whether a batch takes one more entry. The first one always fits.
const createFits = ({ batchBytesMax, measureTransaction }: BatchRunnerOptions, recordsMax: number) => {
  const measure = measureTransaction?.();
  let records = 0;
  let bytes = 0;
  return (entry: OutboxEntry): boolean => {
    const { payload } = entry;
    bytes += payload.length;
    const fits = measure?.(entry) ?? true;
    if (records > 0 && (records === recordsMax || bytes > batchBytesMax || !fits)) return false;
    records += 1;
    return true;
  };
};

// A promise that `notify` resolves, and that is then another one.
const createEvent = () => {
  let { promise, resolve } = Promise.withResolvers<void>();
  return {
    wait: (): Promise<void> => promise,
    notify: (): void => {
      resolve();
      ({ promise, resolve } = Promise.withResolvers<void>());
    },
  };
};

// Waits until the time is over, or a change after which the condition holds.
const waitAtMost = async (ms: number, changed: ReturnType<typeof createEvent>, isDone: () => boolean) => {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    changed.notify();
  }, ms);
  while (!isOver && !isDone()) await changed.wait();
  clearTimeout(timer);
};

// Entries of an earlier process are committed one batch after the other: nodes may have transactions of later ones
// behind a nonce that is missing, which belongs to the oldest.
const createRecovered = ({ queue, lastRecovered }: BatchRunnerOptions) => {
  const isRecovered = ({ sequence }: OutboxEntry): boolean => sequence <= lastRecovered;
  let left = queue.size;
  return {
    isIn: (batch: readonly OutboxEntry[]): boolean => batch.some(isRecovered),
    take: (batch: readonly OutboxEntry[]): void => {
      left -= batch.filter(isRecovered).length;
    },
    areLeft: (): boolean => left > 0,
  };
};

const toRecordsMax = ({ queue, batchRecordsMax, sharedBatchRecordsMax }: BatchRunnerOptions): number =>
  queue.isShared ? sharedBatchRecordsMax : batchRecordsMax;

// Entries that were parked have waited longer than those of the queue, which no longer counts them.
const takeNext = (options: BatchRunnerOptions, recovered: ReturnType<typeof createRecovered>): OutboxEntry[] => {
  const resumed = options.parked.take();
  if (resumed !== undefined) return resumed;
  const batch = options.queue.take(createFits(options, toRecordsMax(options)));
  recovered.take(batch);
  return batch;
};

// Frees the streams of a batch, those of its undecided entries later. Resolves when all are free.
const release = async (
  queue: StreamQueue,
  batch: readonly OutboxEntry[],
  { completed, undecided = [] }: Committed,
): Promise<void> => {
  const held = new Set(undecided.map(streamKeyOf));
  queue.release(batch.filter((entry) => !held.has(streamKeyOf(entry))));
  if (undecided.length === 0) return;
  await completed;
  queue.release(undecided);
};

const reportLeft = ({ signal, onProblem }: BatchRunnerOptions, batch: readonly OutboxEntry[], cause: unknown): void => {
  raiseIfMistake(cause);
  if (!signal.aborted) onProblem(`${batch.length} records stay in the outbox until the next start`, cause);
};

/** The runner of one queue. */
export const createBatchRunner = (options: BatchRunnerOptions): BatchRunner => {
  const { queue, parked, batchBytesMax, transactionsInFlight, signal } = options;
  let running: Promise<void> | undefined;
  const inFlight = new Set<Promise<void>>();
  // Of mined batches; the oldest first.
  const uncompleted: Promise<void>[] = [];
  const recovered = createRecovered(options);
  const changed = createEvent();
  signal.addEventListener('abort', changed.notify);

  const isFull = (): boolean => queue.free.records >= toRecordsMax(options) || queue.free.bytes >= batchBytesMax;

  const linger = (): Promise<void> =>
    inFlight.size === 0
      ? Promise.resolve()
      : waitAtMost(LINGER_MS, changed, () => signal.aborted || inFlight.size === 0 || isFull());

  const commitBatch = async (batch: readonly OutboxEntry[]): Promise<void> => {
    try {
      await options.whenReady?.(signal);
      const signable = parked.park(batch);
      if (signable.length === 0) return;
      const committed = await options.commit(signable, recovered.isIn(signable));
      uncompleted.push(committed.completed);
      void release(queue, signable, committed).then(wake);
    } catch (cause) {
      reportLeft(options, batch, cause);
    }
  };
  const begin = (): void => {
    const batch = takeNext(options, recovered);
    const committing = commitBatch(batch).finally(() => {
      inFlight.delete(committing);
      changed.notify();
      wake();
    });
    inFlight.add(committing);
  };

  // Resolves when another batch may begin.
  const awaitTurn = async (): Promise<void> => {
    while (inFlight.size >= (recovered.areLeft() ? 1 : transactionsInFlight)) await changed.wait();
    while (uncompleted.length > options.minedBatchesMax) await uncompleted.shift();
    await linger();
    await options.awaitCalm();
  };
  const hasWaiting = (): boolean => (queue.free.records > 0 || parked.areResumed) && !signal.aborted;
  // No code may run between the last check of the queue and the end of the run: entries that it added would not start
  // another run.
  const run = async (): Promise<void> => {
    while (hasWaiting()) {
      await awaitTurn();
      if (hasWaiting()) begin();
    }
    running = undefined;
  };
  const wake = (): void => {
    if (running !== undefined) {
      if (isFull()) changed.notify();
    } else if (hasWaiting()) running = Promise.resolve().then(run);
  };
  return {
    wake,
    end: async () => {
      await running;
      await Promise.all(inFlight);
      await Promise.all(uncompleted);
    },
  };
};

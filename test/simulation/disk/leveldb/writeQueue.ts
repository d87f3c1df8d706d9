// The writes of one open database, in LevelDB's way: one at a time; those that wait are written together, in one
// record.
import { currentProcess, perform } from '../../world/processes.ts';
import { theWorld } from '../../world/world.ts';
import { type BatchOperation, encodeBatch, measureOperations, type StoredOperation } from './batch.ts';

/** Writes to one database. */
export interface WriteQueue {
  /** Resolves when the operating system has the operations; with `isSynced`, when the disk has them. */
  write(operations: readonly BatchOperation[], isSynced: boolean): Promise<void>;
  /** Resolves when no write is in progress. */
  whenIdle(): Promise<void>;
}

/** What the queue does to its database. */
export interface WriteTarget {
  /** Name of the log for stories. */
  readonly logName: () => string;
  /** Sequence number of the newest operation. */
  readonly lastSequence: number;
  /** Called before each record with the sequence number of the newest operation. Rejects with LevelDB's error. */
  readonly prepare: (lastSequence: number) => Promise<void>;
  /** Throws LevelDB's error. */
  readonly writeRecord: (record: Buffer) => void;
  /** Throws LevelDB's error. */
  readonly sync: () => void;
  /** Makes operations visible to reads. */
  readonly apply: (operations: readonly StoredOperation[]) => void;
}

interface Writer {
  readonly operations: readonly BatchOperation[];
  readonly isSynced: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const GROUP_BYTES_MAX = 1 << 20;
const SMALL_BYTES = 128 << 10;
const WRITE_MS: readonly [number, number] = [0, 1];
const SYNC_MS: readonly [number, number] = [0, 4];
/** Node runs so many system calls at a time on its threads; their order among each other isn't defined. */
const THREADS = 4;

/** Removes the writers from the queue that LevelDB would write together. */
const takeGroup = (queue: Writer[]): Writer[] => {
  const [first] = queue;
  let bytes = measureOperations(first!.operations);
  const bytesMax = bytes <= SMALL_BYTES ? bytes + SMALL_BYTES : GROUP_BYTES_MAX;
  const isOutside = ({ operations, isSynced }: Writer): boolean => {
    bytes += measureOperations(operations);
    return bytes > bytesMax || (isSynced && !first!.isSynced);
  };
  const others = queue.slice(1, THREADS).findIndex(isOutside);
  return queue.splice(0, others < 0 ? THREADS : others + 1);
};

/** An empty queue. */
export const createWriteQueue = (target: WriteTarget): WriteQueue => {
  const queue: Writer[] = [];
  let { lastSequence } = target;
  let running: Promise<void> | undefined;
  // After a failed sync LevelDB refuses all writes: the log's contents are not known.
  let failure: { error: unknown } | undefined;

  const writeLog = (operations: readonly BatchOperation[]): Promise<readonly StoredOperation[]> =>
    perform({
      what: () => `write ${operations.length} operations to ${target.logName()}`,
      delayMs: WRITE_MS,
      changes: true,
      effect: () => {
        const { record, operations: stored } = encodeBatch(operations, lastSequence + 1);
        lastSequence += operations.length;
        target.writeRecord(record);
        return stored;
      },
    });
  const syncLog = (): Promise<void> =>
    perform({
      what: () => `sync ${target.logName()}`,
      delayMs: SYNC_MS,
      changes: true,
      effect: () => {
        try {
          target.sync();
        } catch (error) {
          failure = { error };
          throw error;
        }
      },
    });
  const writeGroup = async (group: readonly Writer[]): Promise<void> => {
    try {
      if (failure !== undefined) throw failure.error;
      await target.prepare(lastSequence);
      const stored = await writeLog(
        group.length === 1 ? group[0]!.operations : group.flatMap((writer) => writer.operations),
      );
      if (group[0]!.isSynced) await syncLog();
      target.apply(stored);
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    while (queue.length > 0) await writeGroup(takeGroup(queue));
    running = undefined;
  };
  const enqueue = (writer: Writer): void => {
    const jumped = currentProcess() === undefined ? 0 : Math.min(queue.length, THREADS - 1);
    const at = queue.length - (jumped === 0 ? 0 : theWorld().stream('threads').integer(0, jumped));
    queue.splice(at, 0, writer);
    running ??= run();
  };
  return {
    write: (operations, isSynced) =>
      new Promise((resolve, reject) => enqueue({ operations, isSynced, resolve, reject })),
    whenIdle: async () => running,
  };
};

// The writes of the outbox's database: those that wait while one is being synced form the next batch, in their order. A
// batch that fails may leave a part of its record in LevelDB's log, and LevelDB would append the next one behind it,
// where the next opening skips it. So after a failed batch nothing is written until the database was opened again.
import { createMakeDurable } from '../leveldb/durableLog.ts';
import { createSerialQueue } from './serialQueue.ts';

/** One operation of a batch. */
export type BatchOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: string };

/** The writes of one database. */
export interface OutboxWrites {
  /**
   * Adds operations to the next batch; `prepare` is called when that begins. Resolves when they are durable, or when no
   * write of the batch has any. After a failed batch, rejects with its error.
   */
  write(prepare: () => readonly BatchOperation[]): Promise<void>;
  /** Runs a reopening of the database when no batch is in progress. Writes are accepted again once it succeeds. */
  reopen<T>(task: () => Promise<T>): Promise<T>;
}

interface WaitingWrite {
  readonly prepare: () => readonly BatchOperation[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The writes of a database in a directory that `openDatabase` has just opened. `writeBatch` resolves when the batch is
 * synced.
 */
export const createOutboxWrites = (
  directory: string,
  writeBatch: (operations: readonly BatchOperation[]) => Promise<void>,
): OutboxWrites => {
  const makeDurable = createMakeDurable(directory);
  const runSerially = createSerialQueue();
  let waiting: WaitingWrite[] = [];
  let failure: Error | undefined;

  const writeGroup = async (group: readonly WaitingWrite[]): Promise<void> => {
    if (failure !== undefined) throw failure;
    const operations = group.flatMap(({ prepare }) => prepare());
    if (operations.length > 0) await makeDurable(writeBatch(operations));
  };
  const writeWaiting = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    try {
      await writeGroup(group);
      for (const { resolve } of group) resolve();
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      failure = error;
      for (const { reject } of group) reject(error);
    }
  };

  return {
    write: (prepare) =>
      new Promise((resolve, reject) => {
        waiting.push({ prepare, resolve, reject });
        if (waiting.length === 1) void runSerially(writeWaiting);
      }),
    reopen: (task) =>
      runSerially(async () => {
        const result = await task();
        failure = undefined;
        return result;
      }),
  };
};

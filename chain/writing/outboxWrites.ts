// The writes of the outbox's database, one after the other. A write that fails may leave a part of its record in
// LevelDB's log, and LevelDB would append the next one behind it, where the next opening skips it. So after a failed
// write nothing is written until the database was opened again.
import { createMakeDurable } from '../leveldb/durableLog.ts';
import { createSerialQueue } from './serialQueue.ts';

/** The writes of one database. */
export interface OutboxWrites {
  /**
   * Runs a synced write when those before it have ended; resolves when it is durable, or when `start` returns undefined
   * because nothing needs to be written. After a failed write, rejects with its error.
   */
  write(start: () => Promise<void> | undefined): Promise<void>;
  /** Runs a reopening of the database when no write is in progress. Writes are accepted again once it succeeds. */
  reopen<T>(task: () => Promise<T>): Promise<T>;
}

/** The writes of a database in a directory that `openDatabase` has just opened. */
export const createOutboxWrites = (directory: string): OutboxWrites => {
  const makeDurable = createMakeDurable(directory);
  const runSerially = createSerialQueue();
  let failure: Error | undefined;
  return {
    write: (start) =>
      runSerially(async () => {
        if (failure !== undefined) throw failure;
        try {
          const write = start();
          if (write !== undefined) await makeDurable(write);
        } catch (cause) {
          failure = cause instanceof Error ? cause : new Error(String(cause));
          throw failure;
        }
      }),
    reopen: (task) =>
      runSerially(async () => {
        const result = await task();
        failure = undefined;
        return result;
      }),
  };
};

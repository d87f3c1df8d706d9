// Counts what the process has handed to the thread pool and not got back: file operations and LevelDB's. With it a test can wait
// for a disk without a limit in seconds, which a loaded machine would break.
import { createHook } from 'node:async_hooks';

/** File operations of Node and operations of LevelDB, by the type that Node gives to their asynchronous resources. */
const THREAD_POOL_WORK = /^(?:FSREQ|FILEHANDLECLOSEREQ|classic_level\.)/;

export interface PendingWork {
  /** Counts from here on. */
  start(): void;
  /** Stops counting and forgets everything. */
  stop(): void;
  /** Whether an operation has started and its callback has not run yet. */
  isAny(): boolean;
}

/** Stopped until `start` is called. */
export const createPendingWork = (): PendingWork => {
  const pending = new Set<number>();
  const remove = (id: number): void => {
    pending.delete(id);
  };
  const hook = createHook({
    init: (id, type) => {
      if (THREAD_POOL_WORK.test(type)) pending.add(id);
    },
    after: remove,
    destroy: remove,
  });
  return {
    start: () => {
      hook.enable();
    },
    stop: () => {
      hook.disable();
      pending.clear();
    },
    isAny: () => pending.size > 0,
  };
};

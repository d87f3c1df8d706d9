// Counts the operations of the process in the thread pool: those on files and LevelDB's. With it a test can wait for a
// disk without a limit in seconds, which a loaded machine would exceed.
import { createHook } from 'node:async_hooks';

/** File operations of Node and operations of LevelDB, by the type that Node gives to their asynchronous resources. */
const THREAD_POOL_WORK = /^(?:FSREQ|FILEHANDLECLOSEREQ|classic_level\.)/;

export interface PendingWork {
  /** Starts counting. */
  start(): void;
  /** Stops counting and resets the count. */
  stop(): void;
  /** Whether the callback of a started operation has not run yet. */
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

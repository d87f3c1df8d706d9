// Counts the operations of the process in the thread pool: those on files and LevelDB's. With it a test can wait for a
// disk without a limit in seconds, which a loaded machine would exceed.
import { createHook } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** File operations of Node and operations of LevelDB, by the type that Node gives to their asynchronous resources. */
const THREAD_POOL_WORK = /^(?:FSREQ|FILEHANDLECLOSEREQ|classic_level\.)/;

/** Turns of the event loop without an operation in progress, after which only timers continue anything. */
export const TURNS = 20;

export interface PendingWork {
  /** Starts counting. */
  start(): void;
  /** Stops counting and resets the count. */
  stop(): void;
  /** Runs the event loop until the condition holds, or until it has been idle for `TURNS` turns. */
  runUntilIdle(isDone: () => boolean): Promise<void>;
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
    runUntilIdle: async (isDone) => {
      for (let idle = 0; idle < TURNS && !isDone(); idle = pending.size > 0 ? 0 : idle + 1) await turn();
    },
  };
};

// Limits the work of third parties that is in progress: the node executes one request at a time anyway, so the ledger's
// own requests wait only for those that have started.

/** Runs tasks in order, at most `concurrent` at once; refuses a task when `waitingMax` others are waiting. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** A limit that throws the error of `refuse` when too many tasks wait. */
export const createConcurrencyLimit = (options: {
  concurrent: number;
  waitingMax: number;
  refuse: () => Error;
}): ConcurrencyLimit => {
  const waiters: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < options.concurrent) {
      running += 1;
      return;
    }
    if (waiters.length >= options.waitingMax) throw options.refuse();
    await new Promise<void>((start) => waiters.push(start));
  };

  // The slot passes to the next waiter, so `running` stays the same.
  const leave = (): void => {
    const next = waiters.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return async (task) => {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
};

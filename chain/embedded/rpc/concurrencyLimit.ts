// Bounds how much work strangers have under way: the node executes one request at a time anyway, and whoever writes to the
// ledger waits behind at most those that have begun.

/** Runs tasks, at most `concurrent` at once and in order; more than `waitingMax` that wait are refused. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** ConcurrencyLimit that throws what `refuse` makes when too many tasks wait. */
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

  // The place passes to the next waiter, so `running` stays as it is.
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

// Bounds how much work strangers have under way: the node executes one request at a time anyway, and whoever writes to the
// ledger waits behind at most those that have begun.

/** Runs tasks, at most `concurrent` at once and in order; more than `waitingMax` that wait are refused. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** Limiter that throws what `refuse` makes when too many tasks wait. */
export const createLimiter = (options: { concurrent: number; waitingMax: number; refuse: () => Error }): Limiter => {
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

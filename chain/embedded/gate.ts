// Keeps readers out while a block is in the making, so that nobody sees a block that is not yet on the disk. First come, first
// served: neither a stream of reads nor a stream of blocks can starve the other.

export interface Gate {
  /** Runs the task beside other shared ones. */
  shared<T>(task: () => Promise<T>): Promise<T>;
  /** Runs the task alone. */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
}

interface Waiter {
  readonly isExclusive: boolean;
  readonly start: () => void;
}

export const createGate = (): Gate => {
  const waiters: Waiter[] = [];
  let readers = 0;
  let isTaken = false;

  const isBlocked = (waiter: Waiter): boolean => isTaken || (waiter.isExclusive && readers > 0);

  const admit = (): void => {
    while (waiters[0] !== undefined && !isBlocked(waiters[0])) {
      const { isExclusive, start } = waiters.shift()!;
      if (isExclusive) isTaken = true;
      else readers += 1;
      start();
    }
  };

  const enter = (isExclusive: boolean): Promise<void> =>
    new Promise((start) => {
      waiters.push({ isExclusive, start });
      admit();
    });

  const leave = (isExclusive: boolean): void => {
    if (isExclusive) isTaken = false;
    else readers -= 1;
    admit();
  };

  const run = async <T>(isExclusive: boolean, task: () => Promise<T>): Promise<T> => {
    await enter(isExclusive);
    try {
      return await task();
    } finally {
      leave(isExclusive);
    }
  };

  return { shared: (task) => run(false, task), exclusive: (task) => run(true, task) };
};

// Keeps readers out while a block is being produced, so that no read sees a block that is not on the disk yet. The
// ledger's own tasks come before third-party tasks; within each, first come, first served, so that neither reads nor
// blocks starve the other.

/** Owner of a task: waiting tasks of the ledger start first. */
export type LockPriority = 'ledger' | 'thirdParty';

/** A lock with shared and exclusive tasks. */
export interface ReadWriteLock {
  /** Runs the task together with other shared ones. */
  shared<T>(task: () => Promise<T>, priority?: LockPriority): Promise<T>;
  /** Runs the task alone. */
  exclusive<T>(task: () => Promise<T>, priority?: LockPriority): Promise<T>;
}

interface Waiter {
  readonly isExclusive: boolean;
  readonly priority: LockPriority;
  readonly start: () => void;
}

/** A free lock. */
export const createReadWriteLock = (): ReadWriteLock => {
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

  const enqueue = (waiter: Waiter): void => {
    const place = waiter.priority === 'ledger' ? waiters.findIndex(({ priority }) => priority === 'thirdParty') : -1;
    waiters.splice(place === -1 ? waiters.length : place, 0, waiter);
  };

  const enter = (isExclusive: boolean, priority: LockPriority): Promise<void> =>
    new Promise((start) => {
      enqueue({ isExclusive, priority, start });
      admit();
    });

  const leave = (isExclusive: boolean): void => {
    if (isExclusive) isTaken = false;
    else readers -= 1;
    admit();
  };

  const run = async <T>(isExclusive: boolean, task: () => Promise<T>, priority: LockPriority): Promise<T> => {
    await enter(isExclusive, priority);
    try {
      return await task();
    } finally {
      leave(isExclusive);
    }
  };

  return {
    shared: (task, priority = 'ledger') => run(false, task, priority),
    exclusive: (task, priority = 'ledger') => run(true, task, priority),
  };
};

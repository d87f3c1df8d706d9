// Batches are submitted side by side as long as each is mined and succeeds. After anything else no batch begins; those
// in flight end, and what failed is submitted again alone, in order of acceptance: nothing that was accepted later may
// be between its parts.

/** The turns of the batches of one committer. */
export interface BatchTurns {
  /** Runs a submission beside others. */
  together<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Runs a task when no submission is in progress; tasks that wait run in their `order`, one at a time. It must not
   * wait for another one.
   */
  alone<T>(order: number, task: () => Promise<T>): Promise<T>;
  /** A submission has failed and is repeated until the returned function is called: others would wait for its nonce. */
  beginFailure(): () => void;
  /** Resolves when the next batch may begin. */
  awaitCalm(): Promise<void>;
}

interface Waiting {
  readonly order: number;
  readonly start: () => void;
}

/** No submission is in progress. */
export const createBatchTurns = (): BatchTurns => {
  let submitting = 0;
  let failing = 0;
  let isOneAlone = false;
  const waiting: Waiting[] = [];
  let calm: (() => void)[] = [];

  const startNext = (): void => {
    const next = waiting.reduce((first, other) => (other.order < first.order ? other : first), waiting[0]!);
    waiting.splice(waiting.indexOf(next), 1);
    isOneAlone = true;
    next.start();
  };
  const isCalm = (): boolean => failing === 0 && !isOneAlone && waiting.length === 0;
  const advance = (): void => {
    if (submitting === 0 && !isOneAlone && waiting.length > 0) startNext();
    if (!isCalm()) return;
    const ready = calm;
    calm = [];
    for (const resolve of ready) resolve();
  };

  return {
    together: async (task) => {
      submitting += 1;
      try {
        return await task();
      } finally {
        submitting -= 1;
        advance();
      }
    },
    alone: async (order, task) => {
      await new Promise<void>((start) => {
        waiting.push({ order, start });
        advance();
      });
      try {
        return await task();
      } finally {
        isOneAlone = false;
        advance();
      }
    },
    beginFailure: () => {
      failing += 1;
      return () => {
        failing -= 1;
        advance();
      };
    },
    awaitCalm: () => (isCalm() ? Promise.resolve() : new Promise((resolve) => calm.push(resolve))),
  };
};

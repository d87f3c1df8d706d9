// What a piece of work costs. A machine that others use too takes longer, but no more of a processor's time.

/** Time, and the main thread's time on a processor, in milliseconds. */
export interface Cost {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** What was spent so far. */
export const readCost = (): Cost => {
  const { user, system } = process.threadCpuUsage();
  return { elapsedMs: performance.now(), cpuMs: (user + system) / 1000 };
};

export const minus = (a: Cost, b: Cost): Cost => ({ elapsedMs: a.elapsedMs - b.elapsedMs, cpuMs: a.cpuMs - b.cpuMs });
export const plus = (a: Cost, b: Cost): Cost => ({ elapsedMs: a.elapsedMs + b.elapsedMs, cpuMs: a.cpuMs + b.cpuMs });

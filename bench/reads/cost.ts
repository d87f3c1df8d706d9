// The cost of a piece of work. Other processes on the machine prolong the elapsed time, but not the CPU time.

/** Elapsed time and the main thread's CPU time, in milliseconds. */
export interface Cost {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** The cost so far: elapsed time from the process's time origin, and CPU time from its start. */
export const readCost = (): Cost => {
  const { user, system } = process.threadCpuUsage();
  return { elapsedMs: performance.now(), cpuMs: (user + system) / 1000 };
};

/** The difference of two costs. */
export const minus = (a: Cost, b: Cost): Cost => ({ elapsedMs: a.elapsedMs - b.elapsedMs, cpuMs: a.cpuMs - b.cpuMs });
/** The sum of two costs. */
export const plus = (a: Cost, b: Cost): Cost => ({ elapsedMs: a.elapsedMs + b.elapsedMs, cpuMs: a.cpuMs + b.cpuMs });

// Runs a task of a simulated process while the world goes on.
import type { SimulatedProcess } from './processes.ts';
import type { World } from './world.ts';

// How a task ended.
type Ended<T> = { readonly value: T } | { readonly error: unknown };

/** Runs a task in a process; undefined when it has not ended after so many virtual milliseconds, or never will. */
export const runToEnd = async <T>(
  world: World,
  process: SimulatedProcess,
  task: () => Promise<T>,
  timeMaxMs: number,
): Promise<Ended<T> | undefined> => {
  let ended: Ended<T> | undefined;
  const run = async (): Promise<void> => {
    try {
      ended = { value: await task() };
    } catch (error) {
      ended = { error };
    }
  };
  void process.run(run);
  await world.runUntil(() => ended !== undefined, world.nowMs() + timeMaxMs);
  return ended;
};

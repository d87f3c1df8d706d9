// Frees the memory of EDR's answers. Each answer owns the trace of its execution, up to 170 MiB, until V8 collects it,
// and V8 sees an object of a few bytes: without this, a sequence of calls uses a gigabyte before anything is collected.
import { setImmediate as turn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';

// This flag exposes V8's collector, in contexts that are created after it.
v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc') as NonNullable<typeof globalThis.gc>;

/** Frees answers that are no longer referenced. They are young objects, so a minor collection suffices: 1 to 2 ms. */
export const collectAnswers = async (): Promise<void> => {
  // After one turn of the event loop no stack frame references the last answer; in the next its finalizer runs.
  await turn();
  gc({ type: 'minor' });
  await turn();
};

/** Gas after which EDR's answers are collected: their traces use up to 100 MiB by then. */
const COLLECT_GAS = 10_000_000;

/** Counts the gas of executions and frees their traces, with `collect`, before they fill the memory. */
export const createTraceCollector = (collect = collectAnswers) => {
  let uncollectedGas = 0;
  return {
    /** Adds the gas of one execution; with `isUrgent`, its trace is freed at once. */
    add: async (gas: number, { isUrgent = false } = {}): Promise<void> => {
      uncollectedGas += gas;
      if (!isUrgent && uncollectedGas < COLLECT_GAS) return;
      await collect();
      uncollectedGas = 0;
    },
  };
};

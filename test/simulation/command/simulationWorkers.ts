// The worker processes that run the simulation.
import { createWorker, type Worker } from './workers.ts';

const ENTRY = new URL('simulationWorker.ts', import.meta.url);
const REPLACE_MODULES = new URL('../edges/replaceModules.ts', import.meta.url);

/** So many workers; `defect` is planted in the code that they run. */
export const createSimulationWorkers = (count: number, defect?: string): Worker[] =>
  Array.from({ length: count }, () =>
    createWorker({
      entry: ENTRY,
      args: defect === undefined ? [] : [defect],
      nodeArgs: ['--import', REPLACE_MODULES.href],
    }),
  );

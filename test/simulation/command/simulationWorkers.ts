// The worker processes that run the simulation.
import { createWorker, type Worker } from './workers.ts';

const ENTRY = new URL('simulationWorker.ts', import.meta.url);
const REPLACE_MODULES = new URL('../edges/replaceModules.ts', import.meta.url);

/** Options of the workers. */
export interface SimulationWorkersOptions {
  /** Name of a defect that is planted in the code that they run. */
  readonly defect?: string | undefined;
  /** As `WorkerOptions.hangMs`. */
  readonly hangMs?: number;
}

/** So many workers. */
export const createSimulationWorkers = (
  count: number,
  { defect, ...others }: SimulationWorkersOptions = {},
): Worker[] =>
  Array.from({ length: count }, () =>
    createWorker({
      ...others,
      entry: ENTRY,
      args: defect === undefined ? [] : [defect],
      nodeArgs: ['--import', REPLACE_MODULES.href],
    }),
  );

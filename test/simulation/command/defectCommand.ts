// `npm run simulate -- --defects`: searches each planted defect, and prints or records the table.
import { count } from '../../support/count.ts';
import type { Defect } from '../defects/defect.ts';
import { defects, findDefect } from '../defects/defects.ts';
import { type DefectResult, formatDefect, searchDefect, toDefectTable } from './defectRuns.ts';
import { recordDefects, toDefectSection } from './measurementsPage.ts';
import type { ProgressLine } from './progressLine.ts';
import { createSimulationWorkers } from './simulationWorkers.ts';
import type { Worker } from './workers.ts';

/** What the command is asked for. */
export interface DefectCommand {
  /** Names of defects; empty: all. */
  readonly names: readonly string[];
  readonly workers: number;
  readonly firstSeed: number | undefined;
  /** Seeds for each defect. */
  readonly seedsMax: number;
  readonly isRecorded: boolean;
  /** Calls the function at Ctrl-C. Returns the signal that is aborted then. */
  readonly onInterrupt: (stop: () => void) => AbortSignal;
  /** Prints how far the search came, if it was interrupted. */
  readonly printInterruption: (done: number, planned: number, what: string) => void;
  readonly progress: ProgressLine;
  readonly print: (text: string) => void;
}

const FIRST_SEED = 1;
/** Some defects are loops without an end. */
const HANG_MS = 20_000;

const stopAll = (workers: readonly Worker[]): void => {
  for (const worker of workers) worker.stop();
};

const printResults = (print: DefectCommand['print'], results: readonly DefectResult[]): number => {
  const found = results.filter(({ seeds }) => seeds !== undefined).length;
  if (results.length > 0) print(`\n${toDefectTable(results)}\n\n${found} of ${count(results.length, 'defect')} found.`);
  return found;
};

/** Searches the defects. Resolves with whether all were found. */
export const defectCommand = async (command: DefectCommand): Promise<boolean> => {
  const { names, firstSeed = FIRST_SEED, seedsMax, progress, print } = command;
  const searched = names.length === 0 ? defects : names.map(findDefect);
  const [reference] = createSimulationWorkers(1);
  let running: readonly Worker[] = [];
  const signal = command.onInterrupt(() => stopAll([...running, reference!]));
  print(`${count(searched.length, 'defect')}, at most ${count(seedsMax, 'seed')} each, from ${firstSeed} on`);
  const search = async (defect: Defect, title: string): Promise<DefectResult> => {
    running = createSimulationWorkers(command.workers, { defect: defect.name, hangMs: HANG_MS });
    const onRun = (ended: number) => progress.show(() => `${title}: ${ended} of ${count(seedsMax, 'seed')}`);
    const options = { defect, workers: running, reference: reference!, firstSeed, seedsMax, onRun, signal };
    return searchDefect(options).finally(() => stopAll(running));
  };
  const results: DefectResult[] = [];
  for (const [at, defect] of searched.entries()) {
    const result = await search(defect, `defect ${at + 1} of ${searched.length}, ${defect.name}`);
    progress.clear();
    if (signal.aborted) break;
    results.push(result);
    print(formatDefect(result));
  }
  stopAll([reference!]);
  const found = printResults(print, results);
  command.printInterruption(results.length, searched.length, 'defect');
  if (command.isRecorded && !signal.aborted) await recordDefects(toDefectSection(results, firstSeed, seedsMax));
  return found === searched.length;
};

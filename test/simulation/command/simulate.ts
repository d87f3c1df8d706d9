// npm run simulate: runs seeds of the simulation, replays one as a story, and searches planted defects.
import type { Command } from 'commander';
import { count } from '../../support/count.ts';
import { defectCommand } from './defectCommand.ts';
import { toNewSeed } from './optionParsers.ts';
import { PlanChangeError } from './planChange.ts';
import { createProgressLine } from './progressLine.ts';
import { runRegressions } from './regressionRuns.ts';
import { regressions } from './regressions.ts';
import { explainFailures, runSeeds, type SeedRuns } from './seedRuns.ts';
import { createSimulateCommand, type SimulateOptions, toSeeds } from './simulateOptions.ts';
import { createSimulationWorkers } from './simulationWorkers.ts';
import { formatRun, paintFor } from './story.ts';

const print = (text: string): void => console.log(text);
const progress = createProgressLine(process.stderr);
const paint = paintFor(process.stdout);

/** As of a process that SIGINT ended. */
const INTERRUPTED_CODE = 130;
/** As of a process that SIGPIPE ended. */
const CLOSED_PIPE_CODE = 141;
const interrupted = new AbortController();

// The first Ctrl-C ends the runs with a summary. At every end of the command, no worker remains.
const onInterrupt = (stop: () => void): AbortSignal => {
  process.once('exit', stop);
  process.once('SIGINT', () => {
    interrupted.abort();
    stop();
  });
  return interrupted.signal;
};

// A reader such as `head` ends before the command.
const exitWhenClosed = (stream: NodeJS.WriteStream): void => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(CLOSED_PIPE_CODE);
  });
};

const printInterruption = (done: number, planned: number, what: string): void => {
  if (interrupted.signal.aborted) print(`\ninterrupted after ${done} of ${count(planned, what)}`);
};

const toChange = ({ keep, keepRequests }: SimulateOptions) => ({ faults: keep, requests: keepRequests });

const replay = async ({ workers: [worker] }: SeedRuns, options: SimulateOptions): Promise<boolean> => {
  const report = await worker!.run({
    seed: options.seed!,
    chain: options.chain,
    only: options.only,
    change: toChange(options),
    hasStory: true,
  });
  if (report === undefined) {
    printInterruption(0, 1, 'seed');
    return false;
  }
  print(formatRun(report, options.defect, paint));
  return report.violations.length === 0;
};

const runMany = async (runs: SeedRuns, options: SimulateOptions): Promise<boolean> => {
  const { seed: first = toNewSeed(), chain, only, defect } = options;
  const seeds = toSeeds(options);
  print(`${count(seeds, 'seed')} from ${first} on with ${count(runs.workers.length, 'worker')}`);
  const startedMs = performance.now();
  const tally = await runSeeds(runs, { first, count: seeds, change: toChange(options), chain, only, hasStory: false });
  if (tally.runs > 0) print(`\n${tally.format(performance.now() - startedMs)}`);
  if (options.shrink) await explainFailures(runs, tally.failures, defect, paint);
  printInterruption(tally.runs, seeds, 'seed');
  return tally.failures.length === 0;
};

const repeatRegressions = async (runs: SeedRuns): Promise<boolean> => {
  const { isClean, done } = await runRegressions(runs, regressions, paint);
  printInterruption(done, regressions.length, 'regression');
  return isClean;
};

const runWith = async (options: SimulateOptions): Promise<boolean> => {
  const workers = createSimulationWorkers(Math.min(options.workers, toSeeds(options)), { defect: options.defect });
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  const runs: SeedRuns = { workers, progress, signal: onInterrupt(stop), print };
  try {
    if (options.regressions) return await repeatRegressions(runs);
    if (options.trace && options.seed !== undefined) return await replay(runs, options);
    return await runMany(runs, options);
  } finally {
    stop();
  }
};

const searchDefects = (options: SimulateOptions, names: readonly string[]): Promise<boolean> =>
  defectCommand({
    names,
    workers: options.workers,
    firstSeed: options.seed,
    seedsMax: toSeeds(options),
    isRecorded: options.record === true,
    onInterrupt,
    printInterruption,
    progress,
    print,
  });

const runCommand = (options: SimulateOptions): Promise<boolean> => {
  const { defects } = options;
  return defects === undefined ? runWith(options) : searchDefects(options, defects === true ? [] : defects);
};

const run = async (options: SimulateOptions, program: Command): Promise<void> => {
  try {
    const isClean = await runCommand(options);
    if (!isClean) process.exitCode = 1;
    if (interrupted.signal.aborted) process.exitCode = INTERRUPTED_CODE;
  } catch (error) {
    if (!(error instanceof PlanChangeError)) throw error;
    program.error(`error: ${error.message}`);
  }
};

exitWhenClosed(process.stdout);
exitWhenClosed(process.stderr);
await createSimulateCommand(run).parseAsync();

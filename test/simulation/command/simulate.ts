// npm run simulate: runs seeds of the simulation, replays one as a story, and searches planted defects.
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Plan } from '../plan/plan.ts';
import { defectCommand } from './defectCommand.ts';
import { parseNumbers } from './numberLists.ts';
import { createProgress } from './progress.ts';
import { regressions } from './regressions.ts';
import { explainFailures, runSeeds, type SeedRuns } from './seedRuns.ts';
import { createSimulationWorkers } from './simulationWorkers.ts';
import { formatRun, paintFor } from './story.ts';

interface SimulateOptions {
  readonly seeds?: number;
  readonly seed?: number;
  readonly trace?: true;
  readonly chain?: Plan['chain'];
  readonly keep?: number[];
  readonly keepRequests?: number[];
  readonly defect?: string;
  readonly defects?: true | string[];
  readonly record?: true;
  readonly regressions?: true;
  readonly workers: number;
  readonly shrink: boolean;
}

const SEEDS = 300;

const parseCount = (text: string): number => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return number;
};

const parsePositions = (text: string): number[] => {
  try {
    return parseNumbers(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

const print = (text: string): void => console.log(text);
const paint = paintFor(process.stdout);

// The first Ctrl-C ends the runs with a summary.
const onInterrupt = (stop: () => void): AbortSignal => {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    interrupted.abort();
    stop();
  });
  return interrupted.signal;
};

const toChange = ({ keep, keepRequests }: SimulateOptions) => ({ faults: keep, requests: keepRequests });

const replay = async ({ workers: [worker] }: SeedRuns, options: SimulateOptions): Promise<boolean> => {
  const report = await worker!.run({
    seed: options.seed!,
    chain: options.chain,
    change: toChange(options),
    hasStory: true,
  });
  if (report === undefined) return false;
  print(formatRun(report, options.defect, paint));
  return report.violations.length === 0;
};

const runMany = async (runs: SeedRuns, options: SimulateOptions): Promise<boolean> => {
  const { seed, seeds: count = seed === undefined ? SEEDS : 1, chain, defect } = options;
  const first = seed ?? Date.now() % 1_000_000_007;
  print(`${count} seeds from ${first} on ${runs.workers.length} workers`);
  const startedMs = performance.now();
  const tally = await runSeeds(runs, { first, count, change: toChange(options), chain, hasStory: false });
  print(`\n${tally.format(performance.now() - startedMs)}`);
  if (options.shrink) await explainFailures(runs, tally.failures, defect, paint);
  return tally.failures.length === 0;
};

const runRegressions = async ({ workers: [worker] }: SeedRuns): Promise<boolean> => {
  let isClean = true;
  for (const { seed, found, ...change } of regressions) {
    const report = await worker!.run({ seed, change, hasStory: true });
    if (report === undefined) return false;
    const fails = report.violations.length > 0;
    print(`seed ${seed}: ${fails ? 'FAILS' : 'clean'}. ${found}`);
    if (fails) print(formatRun(report, undefined, paint));
    isClean &&= !fails;
  }
  return isClean;
};

const runWith = async (options: SimulateOptions): Promise<boolean> => {
  const workers = createSimulationWorkers(options.workers, { defect: options.defect });
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  const runs: SeedRuns = { workers, progress: createProgress(process.stderr), signal: onInterrupt(stop), print };
  try {
    if (options.regressions) return await runRegressions(runs);
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
    seedsMax: options.seeds,
    isRecorded: options.record === true,
    onInterrupt,
    print,
  });

const run = async (options: SimulateOptions): Promise<void> => {
  const { defects } = options;
  if (options.trace && options.seed === undefined) throw new Error('--trace is for one seed: add --seed');
  const isClean = await (defects === undefined
    ? runWith(options)
    : searchDefects(options, defects === true ? [] : defects));
  if (!isClean) process.exitCode = 1;
};

await new Command('simulate')
  .description('Runs the write path in a simulated world, with faults that follow from a seed')
  .option('--seeds <n>', `how many seeds; ${SEEDS}, or 1 with --seed`, parseCount)
  .option('--seed <n>', 'the first of them; without it they are new each time', parseCount)
  .option('--trace', 'print the story of the seed')
  .addOption(
    new Option('--chain <kind>', 'the kind of chain; without it the seed decides').choices(['embedded', 'network']),
  )
  .option('--keep <list>', "keep only these faults of the seed's plan, such as 0,3-5 or none", parsePositions)
  .option('--keep-requests <list>', "keep only these requests of the seed's plan", parsePositions)
  .option('--regressions', 'run the seeds that once found a defect')
  .option('--defect <name>', 'plant this defect in the code')
  .option('--defects [names...]', 'search the planted defects, all or these, with 2,000 seeds each or --seeds')
  .option('--record', 'with --defects: write the table to docs/measurements/simulation.md')
  .option('--workers <n>', 'worker processes', parseCount, availableParallelism())
  .option('--no-shrink', 'do not search the smallest run that fails')
  .action(run)
  .parseAsync();

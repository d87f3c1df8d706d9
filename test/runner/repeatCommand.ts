// npm run test:repeat: runs tests again and again on a busy machine, in random order, and says what failed how often.
import { Command } from 'commander';
import { toRepeatCommand } from './display.ts';
import type { Failure } from './fileResult.ts';
import { startLoad } from './load.ts';
import { asInteger, exitWith, INTERRUPTED, jobsOption } from './options.ts';
import { shuffle } from './order.ts';
import { print } from './output.ts';
import { runFiles } from './runFiles.ts';
import { listTestFiles, selectPaths, selectTier } from './tiers.ts';

interface Options {
  readonly times: number;
  readonly load: number;
  readonly slowDisk: boolean;
  readonly seed: number;
  readonly jobs: number;
}

const RUNS_FACTOR = 1;

/** Each failed test with its number of failures, the most frequent first. */
const countFailures = (failures: readonly Failure[]): string[] => {
  const counts = new Map<string, number>();
  for (const failure of failures) {
    const repeat = toRepeatCommand(failure);
    counts.set(repeat, (counts.get(repeat) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([repeat, count]) => `  ${count} times: ${repeat}`);
};

const repeat = async (files: readonly string[], { times, seed, jobs }: Options): Promise<number> => {
  const failures: Failure[] = [];
  const failedRuns: number[] = [];
  let done = 0;
  let isInterrupted = false;
  for (; done < times && !isInterrupted; done += 1) {
    print(`\nrun ${done + 1} of ${times}, seed ${seed + done}`);
    const result = await runFiles({ files: shuffle(files, seed + done), jobs, runsFactor: RUNS_FACTOR });
    failures.push(...result.failures);
    if (result.failures.length > 0) failedRuns.push(seed + done);
    isInterrupted = result.isInterrupted;
  }
  print(`\n${failedRuns.length} of ${done} runs failed${failedRuns.length > 0 ? `: seeds ${failedRuns.join()}` : ''}`);
  for (const line of countFailures(failures)) print(line);
  if (isInterrupted) return INTERRUPTED;
  return failures.length === 0 ? 0 : 1;
};

const command = new Command('npm run test:repeat --')
  .description('Runs tests many times, files in random order, beside a load, and prints what failed how often.')
  .argument('[paths...]', 'files or folders of test/; default: what npm test runs')
  .requiredOption('--times <number>', 'how many runs', asInteger(1))
  .option('--load <number>', 'busy loops that run beside the tests', asInteger(0), 0)
  .option('--slow-disk', 'a process that writes and syncs all the time', false)
  .option('--seed <number>', 'the first run’s order; each further run adds one', asInteger(0), Date.now() % 1_000_000)
  .addOption(jobsOption())
  .parse();

const run = async (paths: readonly string[], options: Options): Promise<number> => {
  const known = listTestFiles();
  const files = paths.length > 0 ? selectPaths(known, paths) : selectTier(known, 'default');
  const endLoad = startLoad(options.load, options.slowDisk);
  try {
    return await repeat(files, options);
  } finally {
    await endLoad();
  }
};

await exitWith(() => run(command.args, command.opts<Options>()));

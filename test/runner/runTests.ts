// npm test: runs the tests of this repository in several processes.
import { Command, Option } from 'commander';
import { exitWith, INTERRUPTED, jobsOption } from './options.ts';
import { dearestFirst } from './order.ts';
import { print } from './output.ts';
import { readRecorded } from './recorded.ts';
import { runFiles } from './runFiles.ts';
import { isLong, listTestFiles, selectPaths, selectTier } from './tiers.ts';
import { toPattern } from './titlePattern.ts';

const RUNS_FACTOR_OF_ALL = 4;

interface Options {
  readonly all: boolean;
  readonly jobs: number;
  readonly grep?: string;
  readonly title?: string;
}

const select = (paths: readonly string[], all: boolean): string[] => {
  const files = listTestFiles();
  const selected = paths.length > 0 ? selectPaths(files, paths) : selectTier(files, all ? 'all' : 'default');
  if (paths.length === 0 && !all)
    print(`${files.filter(isLong).length} more files need many processes, a browser or many seeds: npm run test:all`);
  return dearestFirst(selected, readRecorded());
};

const run = async (paths: readonly string[], { all, jobs, grep, title }: Options): Promise<number> => {
  const files = select(paths, all);
  const text = title ?? grep;
  const pattern = text === undefined ? undefined : toPattern(text, title !== undefined);
  const result = await runFiles({ files, jobs, pattern, runsFactor: all ? RUNS_FACTOR_OF_ALL : 1 });
  if (result.isInterrupted) return INTERRUPTED;
  const count = result.results.reduce((sum, { passed, skipped }) => sum + passed + skipped, result.failures.length);
  if (count === 0 && text !== undefined)
    throw new RangeError(`no test has the ${title === undefined ? 'text' : 'full title'} ${JSON.stringify(text)}`);
  return result.failures.length === 0 ? 0 : 1;
};

const EXIT_CODES = `
Exit codes:
  0    every test passed
  1    a test failed
  2    a path, --grep or --title names no test, or the disk is full
  130  Ctrl-C or a signal ended it`;

const command = new Command('npm test --')
  .description('Runs the tests of files or folders, or all except *.long.test.ts when none is named.')
  .argument('[paths...]', 'files or folders of test/')
  .option('--all', 'all files, and more runs of each property', false)
  .addOption(jobsOption())
  .option('--grep <text>', 'only tests with this text in their full title')
  .addOption(new Option('--title <text>', 'only tests with exactly this full title').conflicts('grep'))
  .addHelpText('after', EXIT_CODES)
  .parse();

await exitWith(() => run(command.args, command.opts<Options>()));

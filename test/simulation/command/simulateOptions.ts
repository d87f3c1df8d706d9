// The options of `npm run simulate`. Options that would have no effect together are refused.
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { defects } from '../defects/defects.ts';
import type { Plan } from '../plan/plan.ts';
import { parseNumbers } from './numberLists.ts';
import { createCountParser, parseCount, refuseInexactSeeds } from './optionParsers.ts';

/** The options as they are parsed. */
export interface SimulateOptions {
  readonly seeds?: number;
  readonly seed?: number;
  readonly trace?: true;
  readonly chain?: Plan['chain'];
  readonly only?: string[];
  readonly keep?: number[];
  readonly keepRequests?: number[];
  readonly defect?: string;
  readonly defects?: true | string[];
  readonly record?: true;
  readonly regressions?: true;
  readonly workers: number;
  readonly shrink: boolean;
}

/** Seeds that are run when no option names their number. */
const SEEDS = 300;
/** Seeds for each planted defect. */
const DEFECT_SEEDS = 2_000;
/** The number of seeds that the options ask for. */
export const toSeeds = ({ seeds, seed, defects }: Pick<SimulateOptions, 'seeds' | 'seed' | 'defects'>): number =>
  seeds ?? (defects === undefined ? (seed === undefined ? SEEDS : 1) : DEFECT_SEEDS);

/** More processes than cores give no more seeds. */
const WORKERS_MAX = 4 * availableParallelism();

const parsePositions = (text: string): number[] => {
  try {
    return parseNumbers(text);
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
};

/** Similar names that a refusal has. */
const SIMILAR_MAX = 5;

// Names that share words with this one; those with the most words first.
const toSimilar = (name: string, names: readonly string[]): string[] => {
  const words = new Set(name.split('-'));
  const toShared = (other: string): number => other.split('-').filter((word) => words.has(word)).length;
  return names
    .filter((other) => toShared(other) > 0)
    .sort((a, b) => toShared(b) - toShared(a))
    .slice(0, SIMILAR_MAX);
};

const parseDefect = (name: string): string => {
  const names = defects.map((defect) => defect.name);
  if (names.includes(name)) return name;
  const similar = toSimilar(name, names);
  const hint = similar.length === 0 ? '' : ` Similar ones are ${similar.join(', ')}.`;
  throw new InvalidArgumentError(`There is no such defect.${hint} docs/measurements/simulation.md lists all.`);
};

const parseDefects = (name: string, former: true | string[] = true): string[] => {
  const before = former === true ? [] : former;
  if (before.includes(name)) throw new InvalidArgumentError('It is named twice.');
  return [...before, parseDefect(name)];
};

const OPTIONS: readonly Option[] = [
  new Option('--seeds <n>', `how many seeds; ${SEEDS}, or 1 with --seed`)
    .argParser(parseCount)
    .conflicts(['trace', 'keep', 'keepRequests', 'regressions']),
  new Option('--seed <n>', 'the first of them; without it they are new each time')
    .argParser(parseCount)
    .conflicts('regressions'),
  new Option('--trace', 'print the story of the seed').conflicts(['defects', 'regressions']),
  new Option('--chain <kind>', 'the kind of chain; without it the seed decides')
    .choices(['embedded', 'network'])
    .conflicts(['defects', 'regressions']),
  new Option('--only <kinds>', 'draw faults of these kinds only, such as reorg,lie; needs --chain')
    .argParser((text) => text.split(','))
    .conflicts(['defects', 'regressions']),
  new Option('--keep <list>', "keep only these faults of the seed's plan, such as 0,3-5 or none")
    .argParser(parsePositions)
    .conflicts(['defects', 'regressions']),
  new Option('--keep-requests <list>', "keep only these requests of the seed's plan")
    .argParser(parsePositions)
    .conflicts(['defects', 'regressions']),
  new Option('--regressions', 'run the seeds that once found a defect').conflicts(['defect', 'defects']),
  new Option('--defect <name>', 'plant this defect in the code').argParser(parseDefect).conflicts('defects'),
  new Option(
    '--defects [names...]',
    `search the planted defects, all or these, with ${DEFECT_SEEDS.toLocaleString('en-US')} seeds each or --seeds`,
  ).argParser(parseDefects),
  // Each table is of the same search, so that two of them can be compared.
  new Option('--record', 'with --defects: write the table of all to docs/measurements/simulation.md').conflicts([
    'seed',
    'seeds',
  ]),
  new Option('--workers <n>', `worker processes, at most ${WORKERS_MAX}`)
    .argParser(createCountParser(WORKERS_MAX))
    .default(availableParallelism())
    .conflicts(['trace', 'regressions']),
  new Option('--no-shrink', 'do not search the smallest run that fails').conflicts(['trace', 'regressions', 'defects']),
];

/** Options that need another one. */
const NEEDS: readonly (readonly [option: keyof SimulateOptions, needed: keyof SimulateOptions, why: string])[] = [
  ['trace', 'seed', '--trace prints the story of one seed: add --seed'],
  ['only', 'chain', '--only names faults of one kind of chain: add --chain'],
  ['keep', 'seed', '--keep is about the plan of one seed: add --seed'],
  ['keepRequests', 'seed', '--keep-requests is about the plan of one seed: add --seed'],
  ['record', 'defects', '--record writes the table of --defects: add --defects'],
];

const requireNeeded = (program: Command, options: SimulateOptions): void => {
  for (const [option, needed, why] of NEEDS) {
    if (options[option] !== undefined && options[needed] === undefined) program.error(`error: ${why}`);
  }
  if (options.record && options.defects !== true)
    program.error('error: --record writes the table of all defects: leave out the names');
};

/** The command, which calls `run` with its options. Options that exclude or need each other end the process. */
export const createSimulateCommand = (
  run: (options: SimulateOptions, program: Command) => void | Promise<void>,
): Command => {
  const program = new Command('simulate').description(
    'Runs the write path in a simulated world, with faults that follow from a seed',
  );
  for (const option of OPTIONS) program.addOption(option);
  return program.allowExcessArguments(false).action((options: SimulateOptions) => {
    requireNeeded(program, options);
    refuseInexactSeeds(program, toSeeds(options), options.seed);
    return run(options, program);
  });
};

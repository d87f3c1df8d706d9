// Tries the mutants of folders, with progress for a person.
import { join } from 'node:path';
import { toCost } from '../runner/order.ts';
import { readRecorded } from '../runner/recorded.ts';
import { ROOT } from '../support/sources.ts';
import { scripts, trackedFiles } from '../tidy/trackedFiles.ts';
import { createBaselines } from './baselines.ts';
import { findEquivalent, readEquivalents } from './equivalents.ts';
import { createKills } from './kills.ts';
import { type Change, chooseMutants, type Mutant, toChange } from './mutants.ts';
import { createPrivateTree, type PrivateTree } from './privateTree.ts';
import { type FolderReport, toDiff } from './report.ts';
import { runMutants } from './runMutants.ts';
import { createTestGraph } from './testGraph.ts';
import { type Result, tryMutant } from './tryMutant.ts';

interface Options {
  readonly seed: number;
  readonly count: number;
  readonly jobs: number;
  /** Files of tests that are asked about a mutant at most. */
  readonly tests: number;
}

type Texts = ReadonlyMap<string, string>;

export interface FolderRun {
  tryFolder(folder: string, texts: Texts, options: Options): Promise<FolderReport>;
  /** Prints what would be tried. */
  list(texts: Texts, options: Options): void;
  readonly changeOf: (result: Result) => Change;
}

const GRACE_MS = 20_000;
const KEPT = join(ROOT, '.node', 'mutations');

const describe = ({ file, line, operator }: Mutant): string => `${file}:${line} (${operator})`;

const textOf = (path: string): string => trackedFiles.get(path)!;
const changeOfMutant = (mutant: Mutant): Change => toChange(textOf(mutant.file), mutant);

const describeResult = ({ mutant, verdict, tests, detail }: Result): string => {
  if (verdict === 'killed') return `killed by ${tests.at(-1)}: ${describe(mutant)}: ${detail}`;
  if (verdict === 'timeout') return `killed by time in ${tests.at(-1)}: ${describe(mutant)}`;
  if (verdict === 'invalid') return `not counted, it can't be loaded: ${describe(mutant)}`;
  const ran = tests.length === 0 ? 'no asked test executes it' : `it passed ${tests.join(' ')}`;
  return `SURVIVED: ${describe(mutant)}: ${ran}\n${toDiff(changeOfMutant(mutant))}`;
};

/**
 * Prepares runs of mutants.
 * @param directory empty, for the copies of the repository
 */
export const createFolderRun = (directory: string, { jobs }: Pick<Options, 'jobs'>): FolderRun => {
  const create = (name: string): PrivateTree =>
    createPrivateTree(ROOT, [...trackedFiles.keys()], join(directory, name));
  let trees: readonly PrivateTree[] | undefined;
  const graph = createTestGraph(new Map(scripts), toCost(readRecorded()));
  const baselines = createBaselines({
    tree: create('c'),
    directory: KEPT,
    digestOf: graph.digestOf,
    onFailure: (test, detail) => console.error(`${test} fails without a fault, and is not asked: ${detail}`),
  });
  const kills = createKills(KEPT, graph.digestOf);
  const equivalents = readEquivalents();

  const choose = (texts: Texts, { count, seed }: Options) => {
    // Some can't be loaded.
    const drawn = chooseMutants(texts, 2 * count, seed);
    const known = drawn.map((mutant) => [mutant, findEquivalent(equivalents, mutant, changeOfMutant(mutant))] as const);
    const same = known.slice(0, count).flatMap(([, equivalent]) => equivalent ?? []);
    return { same, mutants: known.filter(([, equivalent]) => equivalent === undefined).map(([mutant]) => mutant) };
  };

  return {
    tryFolder: async (folder, texts, options) => {
      trees ??= Array.from({ length: jobs }, (_, at) => create(String(at)));
      const { same, mutants } = choose(texts, options);
      const count = options.count - same.length;
      let done = 0;
      console.log(`\n${folder}: ${count} faults, seed ${options.seed}`);
      const results = await runMutants({
        mutants,
        count,
        trees,
        tryIn: (mutant, tree) =>
          tryMutant(mutant, textOf(mutant.file), tree, {
            graph,
            baselines,
            kills,
            testsMax: options.tests,
            graceMs: GRACE_MS,
          }),
        onResult: (result) => {
          if (result.verdict !== 'invalid') done += 1;
          console.log(`${done}/${count} ${describeResult(result)}`);
        },
      });
      return { folder, seed: options.seed, results, equivalents: same };
    },
    list: (texts, options) => {
      const { mutants } = choose(texts, options);
      for (const mutant of mutants.slice(0, options.count))
        console.log(`${describe(mutant)}\n${toDiff(changeOfMutant(mutant))}\n`);
    },
    changeOf: ({ mutant }) => changeOfMutant(mutant),
  };
};

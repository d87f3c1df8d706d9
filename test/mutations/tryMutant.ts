// Plants one fault and runs the tests that execute its place, until one of them fails.
import type { Baselines } from './baselines.ts';
import { isExecuted } from './coverage.ts';
import type { Kills } from './kills.ts';
import { type Mutant, toMutated } from './mutants.ts';
import type { PrivateTree } from './privateTree.ts';
import { type Outcome, runTestFile } from './runTestFile.ts';
import { isInBrowser, type TestGraph } from './testGraph.ts';

/** `invalid`: the program can't be loaded with it, so that it says nothing about the tests. */
export type Verdict = 'killed' | 'timeout' | 'survived' | 'invalid';

export interface Result {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** The files of tests that ran, in their order. */
  readonly tests: readonly string[];
  /** What the last of them said. */
  readonly detail: string;
}

export interface Trial {
  readonly graph: Pick<TestGraph, 'findTests'>;
  readonly baselines: Pick<Baselines, 'measure'>;
  readonly kills: Kills;
  /** How many files of tests that reach a mutant's file are asked. */
  readonly testsMax: number;
  /** How much longer than without a fault a test may take before it counts as endless, besides a multiple of that. */
  readonly graceMs: number;
}

// A busy machine is slow; a mutant that never ends is slower.
const TIMES_MAX = 5;

const VERDICTS = { failed: 'killed', timeout: 'timeout', 'not loaded': 'invalid' } as const satisfies Readonly<
  Record<Exclude<Outcome, 'passed'>, Verdict>
>;

const findKnown = (mutant: Mutant, text: string, tests: readonly string[], kills: Kills): Result | undefined => {
  for (const test of tests) {
    const kill = kills.read(mutant, text, test);
    if (kill !== undefined) return { mutant, tests: [test], ...kill };
  }
  return undefined;
};

interface Planted {
  /** The tree with the fault, for a file of tests. */
  plantFor(test: string): Promise<PrivateTree>;
  remove(): Promise<void>;
}

const createPlanted = (mutant: Mutant, text: string, tree: PrivateTree): Planted => {
  let isPlanted = false;
  let isBuilt = false;
  return {
    plantFor: async (test) => {
      if (!isPlanted) tree.write(mutant.file, toMutated(text, mutant));
      isPlanted = true;
      if (!isInBrowser(test) || isBuilt) return tree;
      isBuilt = true;
      await tree.build();
      return tree;
    },
    remove: async () => {
      if (isPlanted) tree.write(mutant.file, text);
      if (isBuilt) await tree.build();
    },
  };
};

const runTests = async (
  mutant: Mutant,
  tests: readonly string[],
  { baselines, graceMs }: Trial,
  { plantFor }: Planted,
): Promise<Result> => {
  const ran: string[] = [];
  for (const test of tests) {
    const { passes, wallMs, coverage } = await baselines.measure(test);
    if (!passes) continue;
    if (!isInBrowser(test) && !isExecuted(coverage, mutant.file, mutant.start)) continue;
    ran.push(test);
    const tree = await plantFor(test);
    const { outcome, detail } = await runTestFile(tree, test, { limitMs: wallMs * TIMES_MAX + graceMs });
    if (outcome !== 'passed') return { mutant, verdict: VERDICTS[outcome], tests: ran, detail };
  }
  return { mutant, verdict: 'survived', tests: ran, detail: '' };
};

/** Runs a mutant in a tree, which is as it was afterwards. What killed it in an earlier run isn't run again. */
export const tryMutant = async (mutant: Mutant, text: string, tree: PrivateTree, trial: Trial): Promise<Result> => {
  const tests = trial.graph.findTests(mutant.file).slice(0, trial.testsMax);
  const known = findKnown(mutant, text, tests, trial.kills);
  if (known !== undefined) return known;
  const planted = createPlanted(mutant, text, tree);
  try {
    const result = await runTests(mutant, tests, trial, planted);
    const { verdict, detail } = result;
    if (verdict === 'killed' || verdict === 'timeout')
      trial.kills.write(mutant, text, result.tests.at(-1)!, { verdict, detail });
    return result;
  } finally {
    await planted.remove();
  }
};

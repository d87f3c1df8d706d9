// Plants one fault and runs the tests that execute its place, until one of them fails.
import type { Baselines } from './baselines.ts';
import { isExecuted } from './coverage.ts';
import { type Mutant, toMutated } from './mutants.ts';
import type { PrivateTree } from './privateTree.ts';
import { type Outcome, runTestFile } from './runTestFile.ts';
import { isBundled, type TestGraph } from './testGraph.ts';

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
  /** How many files of tests that reach a mutant's file are asked. */
  readonly testsMax: number;
  /** How much longer than without a fault a test may take before it counts as endless, besides a multiple of that. */
  readonly graceMs: number;
}

// A busy machine is slow; a mutant that never ends is slower.
const TIMES_MAX = 5;

const VERDICTS: Readonly<Record<Exclude<Outcome, 'passed'>, Verdict>> = {
  failed: 'killed',
  timeout: 'timeout',
  'not loaded': 'invalid',
};

/** Runs a mutant in a tree, which is as it was afterwards. */
export const tryMutant = async (
  mutant: Mutant,
  text: string,
  tree: PrivateTree,
  { graph, baselines, testsMax, graceMs }: Trial,
): Promise<Result> => {
  const tests: string[] = [];
  let isPlanted = false;
  const plant = async (): Promise<void> => {
    if (!isPlanted) await tree.write(mutant.file, toMutated(text, mutant));
    isPlanted = true;
  };
  try {
    for (const test of graph.findTests(mutant.file).slice(0, testsMax)) {
      const { passes, wallMs, coverage } = await baselines.measure(test);
      if (!passes) continue;
      if (!isBundled(mutant.file) && !isExecuted(coverage, mutant.file, mutant.start)) continue;
      await plant();
      tests.push(test);
      const { outcome, detail } = await runTestFile(tree, test, { limitMs: wallMs * TIMES_MAX + graceMs });
      if (outcome !== 'passed') return { mutant, verdict: VERDICTS[outcome], tests, detail };
    }
    return { mutant, verdict: 'survived', tests, detail: '' };
  } finally {
    if (isPlanted) await tree.write(mutant.file, text);
  }
};

// What files of tests do without a fault: whether they pass, how long they take, and what they execute.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Coverage, readCoverage } from './coverage.ts';
import type { PrivateTree } from './privateTree.ts';
import { runTestFile } from './runTestFile.ts';

export interface Baseline {
  readonly passes: boolean;
  readonly wallMs: number;
  readonly coverage: Coverage;
}

export interface Baselines {
  /** Runs a file of tests without a fault, once; the next caller gets the same. */
  measure(test: string): Promise<Baseline>;
  /** What is known of its cost, in milliseconds, without running it. */
  readWallMs(test: string): number | undefined;
}

const LIMIT_MS = 600_000;

interface Options {
  /** A tree without a fault. */
  readonly tree: PrivateTree;
  /** Where results are kept for the next run. */
  readonly directory: string;
  readonly digestOf: (test: string) => string;
  /** Called when a file fails, with the reason. */
  readonly onFailure: (test: string, detail: string) => void;
}

const readIfThere = (path: string): Baseline | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** Creates the baselines of a run. A result is kept on disk until the file, or something that it imports, changes. */
export const createBaselines = ({ tree, directory, digestOf, onFailure }: Options): Baselines => {
  mkdirSync(directory, { recursive: true });
  const known = new Map<string, Promise<Baseline>>();
  const toPath = (test: string): string => join(directory, `${digestOf(test)}.json`);

  // Node counts less precisely what it takes from its cache of compiled code.
  const run = async (test: string): Promise<Baseline> => {
    const counts = mkdtempSync(join(tree.temporary, 'v'));
    const env = { NODE_V8_COVERAGE: counts, NODE_COMPILE_CACHE: undefined };
    const { outcome, wallMs, detail } = await runTestFile(tree, test, { limitMs: LIMIT_MS, env });
    const passes = outcome === 'passed';
    if (!passes) onFailure(test, detail);
    const baseline = { passes, wallMs: Math.round(wallMs), coverage: passes ? readCoverage(counts, tree.path) : {} };
    rmSync(counts, { recursive: true });
    if (passes) writeFileSync(toPath(test), JSON.stringify(baseline));
    return baseline;
  };

  return {
    measure: (test) => {
      const kept = readIfThere(toPath(test));
      const measured = known.get(test) ?? (kept === undefined ? run(test) : Promise.resolve(kept));
      known.set(test, measured);
      return measured;
    },
    readWallMs: (test) => readIfThere(toPath(test))?.wallMs,
  };
};

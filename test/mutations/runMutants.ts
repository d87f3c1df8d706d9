// Tries mutants, some at once, each in a tree of its own.
import type { Mutant } from './mutants.ts';
import type { Result } from './tryMutant.ts';

export interface MutantsRun<T> {
  /** More than `count` of them: what can't be loaded doesn't count, and the next takes its place. */
  readonly mutants: readonly Mutant[];
  readonly count: number;
  /** One for each mutant that is tried at the same time. */
  readonly trees: readonly T[];
  readonly tryIn: (mutant: Mutant, tree: T) => Promise<Result>;
  readonly onResult: (result: Result) => void;
}

/** Returns the results of `count` mutants, fewer when there are not as many. */
export const runMutants = async <T>({ mutants, count, trees, tryIn, onResult }: MutantsRun<T>): Promise<Result[]> => {
  const results: Result[] = [];
  let next = 0;
  let tried = 0;
  const work = async (tree: T): Promise<void> => {
    while (tried < count && next < mutants.length) {
      const mutant = mutants[next]!;
      next += 1;
      tried += 1;
      const result = await tryIn(mutant, tree);
      if (result.verdict === 'invalid') tried -= 1;
      else results.push(result);
      onResult(result);
    }
  };
  await Promise.all(trees.map(work));
  return results;
};

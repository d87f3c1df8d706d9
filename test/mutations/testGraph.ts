// Which files of tests can notice a change of a source file, by the imports of all files.
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { toTarget } from '../tidy/importGraph.ts';

/** What the tests of a repository load. */
export interface TestGraph {
  /** The files of tests that reach a file of the product, the likeliest to notice a change of it first. */
  findTests(file: string): string[];
  /** A text that changes with what a file of tests loads. */
  digestOf(test: string): string;
}

const TEST_FILE = /\.test\.ts$/;
const LONG_FILE = /\.long\.test\.ts$/;

// The imports that are left when the types are removed, and scripts that are started in processes or threads.
const IMPORTS = [
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm,
  /\bimport\(\s*'(\.[^']+)'\s*\)/g,
  /new URL\(\s*'([^']+\.ts)'\s*,\s*import\.meta\.url/g,
];

const targetsOf = (path: string, text: string): string[] =>
  IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier]) => toTarget(path, specifier!)));

/** How many imports lie between a file and each file that it reaches. */
const distancesFrom = (start: string, imports: ReadonlyMap<string, readonly string[]>): Map<string, number> => {
  const distances = new Map([[start, 0]]);
  for (const [path, distance] of distances) {
    for (const next of imports.get(path) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return distances;
};

const nameOf = (file: string): string => basename(file).replace(/\.tsx?$/, '');

const WORD = /[a-z]+|[A-Z][a-z]*/g;

/** The words of a path without its first folder, in the singular. */
const wordsOf = (path: string): Set<string> =>
  new Set(
    (path.replace(/\..*$/, '').split('/').slice(1).join('/').match(WORD) ?? []).map((word) =>
      word.toLowerCase().replace(/s$/, ''),
    ),
  );

const OTHER_FOLDER = 10;

/** How unlikely a file of tests is to notice a change: names that share words speak for it, another folder against. */
const toRank = (test: string, file: string): number => {
  if (dirname(test) === `test/${dirname(file)}`) return basename(test).split('.')[0] === nameOf(file) ? 0 : 1;
  const words = wordsOf(test);
  return OTHER_FOLDER - [...wordsOf(file)].filter((word) => words.has(word)).length;
};

/** Whether a file of tests opens the explorer in a browser, which loads what was built of its pages. */
export const isInBrowser = (test: string): boolean => test.startsWith('test/explorer/') && LONG_FILE.test(test);

const isPage = (file: string): boolean => file.startsWith('explorer/');

/**
 * @param texts of every script of the repository, by its path
 * @param costOf what a file of tests costs, in any unit
 */
export const createTestGraph = (texts: ReadonlyMap<string, string>, costOf: (test: string) => number): TestGraph => {
  const imports = new Map([...texts].map(([path, text]) => [path, targetsOf(path, text)]));
  const tests = [...texts.keys()].filter((path) => TEST_FILE.test(path));
  const pages = [...texts.keys()].filter(isPage);
  for (const test of tests) if (isInBrowser(test)) imports.get(test)!.push(...pages);
  const reached = new Map(tests.map((test) => [test, distancesFrom(test, imports)]));
  return {
    findTests: (file) => {
      const found = tests.filter((test) => reached.get(test)!.has(file));
      const keyOf = (test: string): readonly number[] => [
        toRank(test, file),
        LONG_FILE.test(test) ? 1 : 0,
        costOf(test) * (reached.get(test)!.get(file) ?? 1),
      ];
      const compare = (a: readonly number[], b: readonly number[]): number =>
        a.map((value, at) => value - b[at]!).find((difference) => difference !== 0) ?? 0;
      return found.sort((a, b) => compare(keyOf(a), keyOf(b)));
    },
    digestOf: (test) => {
      const hash = createHash('sha256').update(process.version);
      for (const path of [...reached.get(test)!.keys()].sort()) hash.update(`\0${path}\0${texts.get(path) ?? ''}`);
      return hash.digest('hex');
    },
  };
};

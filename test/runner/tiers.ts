// Which files belong to which tier: `npm test` runs the default tier, `npm run test:all` both.
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { listRepositoryFiles } from '../support/repositoryFiles.ts';
import { ROOT } from '../support/sources.ts';
import { CONTRACTS } from './contracts.ts';

const TEST_FILE = /\.test\.ts$/;
const LONG_FILE = /\.long\.test\.ts$/;

/** A file of the second tier: it needs many processes, a browser or many seeds. */
export const isLong = (file: string): boolean => LONG_FILE.test(file);

/** Every file of tests that git tracks or does not ignore, as a path from the root. */
export const listTestFiles = (): string[] =>
  listRepositoryFiles(ROOT, 'present').filter(
    (path) =>
      path.startsWith('test/') &&
      TEST_FILE.test(path) &&
      statSync(join(ROOT, path), { throwIfNoEntry: false }) !== undefined,
  );

/** The files of a tier; those of the contract, which run in one process, as their folder. */
export const selectTier = (files: readonly string[], tier: 'default' | 'all'): string[] => [
  CONTRACTS,
  ...files.filter((file) => !file.startsWith(`${CONTRACTS}/`) && (tier === 'all' || !isLong(file))),
];

/**
 * The files that paths name: files, or folders with every file of them, whatever its tier.
 * @throws RangeError with the path that names no file of tests
 */
export const selectPaths = (files: readonly string[], paths: readonly string[]): string[] => {
  const selected = paths.flatMap((path) => {
    if (path === '') throw new RangeError('an empty path names no file of tests');
    const wanted = relative(ROOT, resolve(path));
    const found = files.filter((file) => file === wanted || wanted === '' || file.startsWith(`${wanted}/`));
    const isContract = (file: string): boolean => file !== wanted && file.startsWith(`${CONTRACTS}/`);
    if (found.some(isContract)) return [CONTRACTS, ...found.filter((file) => !isContract(file))];
    if (found.length === 0) throw new RangeError(`${path} names no file of tests: a folder, or a file *.test.ts`);
    return found;
  });
  return [...new Set(selected)];
};

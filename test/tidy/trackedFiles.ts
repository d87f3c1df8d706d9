// The files of the repository that git tracks, each read once when this is loaded: what another process does to them
// afterwards changes no result. A new file counts when it was given to `git add`.
import { listRepositoryFiles } from '../support/repositoryFiles.ts';
import { ROOT, readSource } from '../support/sources.ts';

// A tracked file may have been deleted.
const readIfThere = (path: string): string | undefined => {
  try {
    return readSource(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The texts of files by their paths, without those that are not there. */
export const readTexts = (paths: readonly string[]): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = readIfThere(path);
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
};

/** The text of every tracked file by its path from the root. */
export const trackedFiles: ReadonlyMap<string, string> = readTexts(listRepositoryFiles(ROOT, 'tracked'));

const select = (name: RegExp): [path: string, text: string][] =>
  [...trackedFiles].filter(([path]) => name.test(path) && !path.includes('.gen.'));

/** TypeScript and JavaScript files that are not generated, with their texts. */
export const scripts: readonly (readonly [path: string, text: string])[] = select(/\.(?:tsx?|js)$/);

/** `scripts` and Solidity files. */
export const sources: readonly (readonly [path: string, text: string])[] = select(/\.(?:tsx?|js|sol)$/);

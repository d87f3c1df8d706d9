// The files of the repository as git has them, for the tests that check the repository itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, as an absolute path. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const listFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));

/** Every tracked or new file that git doesn't ignore, as a path from the root. */
export const trackedFiles: readonly string[] = listFiles();

/** The text of a file, by its path from the root. */
export const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const isGenerated = (path: string): boolean => path.includes('.gen.');

/** TypeScript and JavaScript files that are not generated. */
export const scripts = trackedFiles.filter((path) => /\.(?:tsx?|js)$/.test(path) && !isGenerated(path));

/** `scripts` and Solidity files. */
export const sources = [
  ...scripts,
  ...trackedFiles.filter((path) => path.endsWith('.sol') && !isGenerated(path)),
] as const;

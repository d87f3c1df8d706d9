// A copy of the repository's files, in which faults are planted: nobody else's files are changed.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A copy that one test after another runs in. */
export interface PrivateTree {
  readonly path: string;
  /** Where its tests create temporary files. */
  readonly temporary: string;
  /** Replaces a file's text. */
  write(file: string, text: string): void;
  /** Builds the explorer, for the tests in a browser. */
  build(): Promise<void>;
}

// What the set-up makes; tests only read it.
const SHARED = ['node_modules', '.node', 'artifacts', 'cache', 'types', '.python'];
const BUILT = join('explorer', 'dist');

/**
 * Creates a tree in a new directory.
 * @param files to copy, as paths from the root
 */
export const createPrivateTree = (root: string, files: readonly string[], path: string): PrivateTree => {
  const temporary = join(path, 't');
  mkdirSync(temporary, { recursive: true });
  for (const file of files) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    copyFileSync(join(root, file), join(path, file));
  }
  for (const name of SHARED) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(path, name));
  if (existsSync(join(root, BUILT))) cpSync(join(root, BUILT), join(path, BUILT), { recursive: true });
  return {
    path,
    temporary,
    write: (file, text) => writeFileSync(join(path, file), text),
    build: async () => {
      await promisify(execFile)(process.execPath, [join('scripts', 'buildExplorer.ts')], { cwd: path });
    },
  };
};

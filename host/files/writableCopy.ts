// Read-only data directories, such as snapshots and copies of a broken machine's disk: databases are opened in a copy,
// because opening one writes.
import { constants } from 'node:fs';
import { access, chmod, cp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { openTemporaryDirectory } from '../../chain/temporaryDirectory.ts';
import { console } from '../commandProcess.ts';
import { dataPaths } from './dataPaths.ts';

/** A data directory whose databases can be opened. */
export interface UsableDirectory {
  readonly path: string;
  /** Removes the copy, if it is one. A signal that ends the process removes it, too. */
  readonly remove: () => Promise<void>;
}

const READ_ONLY: readonly unknown[] = ['EROFS', 'EACCES'];

const isWritable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if (READ_ONLY.includes((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
};

const makeWritable = async (path: string): Promise<void> => {
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
};

// What is only read stays where it is, so that no key is in the copy.
const toLinked = (dataDir: string): string[] => {
  const { keys, blobs } = dataPaths(dataDir);
  return [keys, blobs];
};

const toLeftOut = (dataDir: string): string[] => {
  const { demo, control, lock } = dataPaths(dataDir);
  return [demo, control, lock];
};

const fill = async (dataDir: string, copy: string): Promise<void> => {
  const [linked, leftOut] = [toLinked(dataDir), toLeftOut(dataDir)];
  await cp(dataDir, copy, { recursive: true, filter: (path) => ![...linked, ...leftOut].includes(path) });
  await makeWritable(copy);
  for (const path of linked) await symlink(path, join(copy, basename(path)));
};

/**
 * The data directory itself, or, if nothing can be written there, a private copy of its databases in the directory of
 * temporary files, `below`, which must have space for them. No server can be running on it.
 */
export const openUsableDirectory = async (given: string, below = tmpdir()): Promise<UsableDirectory> => {
  const dataDir = resolve(given);
  if (await isWritable(dataDir)) return { path: given, remove: async () => {} };
  const copy = await openTemporaryDirectory('provenance-ledger-', below);
  try {
    console.error(`${given} is read-only: its databases are opened in a copy below ${below}`);
    await fill(dataDir, copy.path);
    return copy;
  } catch (error) {
    await copy.remove();
    throw error;
  }
};

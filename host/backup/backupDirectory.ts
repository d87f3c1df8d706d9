// Claims the directory of a backup for one process until the backup is complete, with a mark file that can be created
// only once. Only files that this process created are ever removed.
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isEmpty } from './backupFiles.ts';
import { UNFINISHED_NAME } from './backupManifest.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Creates a directory. Resolves with false if it exists. */
const createDirectory = async (path: string): Promise<boolean> => {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  try {
    await mkdir(path, { mode: PRIVATE_DIRECTORY });
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  }
};

const mark = async (path: string): Promise<void> => {
  try {
    await writeFile(join(path, UNFINISHED_NAME), '', { flag: 'wx', mode: PRIVATE_FILE });
  } catch (cause) {
    if (!isThere(cause)) throw cause;
    throw new Error(`another backup into ${path} is in progress, or was interrupted; choose another directory`, {
      cause,
    });
  }
};

const removeFrom = async (path: string, isNew: boolean): Promise<void> => {
  if (isNew) return rm(path, { recursive: true, force: true });
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
};

/**
 * Claims a directory that is empty or doesn't exist, and makes it private to its owner. Resolves with a function that
 * removes everything that was created.
 * @throws Error when the directory isn't empty, or another process has claimed it.
 */
export const claimBackupDirectory = async (path: string): Promise<() => Promise<void>> => {
  const isNew = await createDirectory(path);
  if (!isNew && !(await isEmpty(path))) throw new Error(`${path} is not empty`);
  await mark(path);
  const names = await readdir(path);
  if (names.length > 1) {
    await rm(join(path, UNFINISHED_NAME));
    throw new Error(`${path} is not empty`);
  }
  await chmod(path, PRIVATE_DIRECTORY);
  return () => removeFrom(path, isNew);
};

// The directory of a backup belongs to one process alone until the backup is whole: a mark in it, which can only be made once, says so. Only
// what this process made is ever removed.
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isEmpty } from './backupFiles.ts';
import { UNFINISHED_NAME } from './backupManifest.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Whether the directory is a new one. */
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
    throw new Error(`another backup goes into ${path}, or was cut off there`, { cause });
  }
};

const removeFrom = async (path: string, isNew: boolean): Promise<void> => {
  if (isNew) return rm(path, { recursive: true, force: true });
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
};

/**
 * Takes a directory that isn't there or is empty, and closes it to everybody else. Resolves with what removes again what was made.
 * @throws Error when something is in it, or another process has it.
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

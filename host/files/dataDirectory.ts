// Creates the data directory. Errors name the setting, because a path alone doesn't explain what it is for.
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';

const PRIVATE_DIRECTORY = 0o700;

const isDirectory = async (path: string): Promise<boolean> => {
  try {
    if ((await stat(path)).isDirectory()) return true;
    throw new Error(`${path} is not a directory`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
};

// One directory at a time: on a file system without new directories, such as /proc, Node's own recursion doesn't end.
const createDirectory = async (path: string): Promise<void> => {
  if (await isDirectory(path)) return;
  await createDirectory(dirname(path));
  await mkdir(path, { mode: PRIVATE_DIRECTORY });
  await syncDirectory(dirname(path));
};

/**
 * Creates a data directory that only its owner can enter, unless it exists, synced.
 * @param setting that names it.
 * @throws Error that names the setting.
 */
export const createDataDirectory = async (dataDir: string, setting = 'DATA_DIR'): Promise<void> => {
  try {
    await createDirectory(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${setting} is ${JSON.stringify(dataDir)}; it can't be used: ${(cause as Error).message}`, {
      cause,
    });
  }
};

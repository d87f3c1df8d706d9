// The name of a server among those that share a directory: a random UUID in its data directory. A copy of the data
// directory, which another server may run on, has other inodes, and so gets a name of its own.
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataPaths } from './dataPaths.ts';

const PRIVATE_FILE = 0o600;
const CONTENT = /^([0-9a-f-]{36}) (\d+)\n$/;

const readName = async (path: string): Promise<string | undefined> => {
  try {
    const [, name, inode] = CONTENT.exec(await readFile(path, 'utf8')) ?? [];
    return inode === String((await stat(path)).ino) ? name : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
};

// A rename keeps the inode.
const writeName = async (path: string, name: string): Promise<void> => {
  const unfinished = `${path}.tmp`;
  const file = await open(unfinished, 'w', PRIVATE_FILE);
  try {
    await file.writeFile(`${name} ${(await file.stat()).ino}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  await syncDirectory(dirname(path));
};

/** The name of the server of a data directory, which must be locked; the same at each start. */
export const openServerName = async (dataDir: string): Promise<string> => {
  const { serverName } = dataPaths(dataDir);
  const known = await readName(serverName);
  if (known !== undefined) return known;
  const name = randomUUID();
  await writeName(serverName, name);
  return name;
};

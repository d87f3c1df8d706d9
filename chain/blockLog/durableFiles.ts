// Writes the files of a log, which are never changed: after a kill or a power failure each of them is complete or
// absent. A file gets its name when its content is synced.
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../leveldb/syncDirectory.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Writes files below one directory. */
export interface DurableFiles {
  /** Writes a file. It is complete when it has its name, and has it after a power failure once `syncNames` resolves. */
  write(path: string, content: Uint8Array | string): Promise<void>;
  /** Resolves when the names of all files written so far are on the disk. */
  syncNames(): Promise<void>;
}

const writeSynced = async (path: string, content: Uint8Array | string): Promise<void> => {
  const file = await open(path, 'w', PRIVATE_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
};

// The directories from a file's own up to, and with, the root.
const toParents = (path: string): string[] => (path === '.' ? ['.'] : [path, ...toParents(dirname(path))]);

/** Writes files below a directory that exists. */
export const createDurableFiles = (directory: string): DurableFiles => {
  const unsynced = new Set<string>();
  return {
    write: async (path, content) => {
      await mkdir(join(directory, dirname(path)), { recursive: true, mode: PRIVATE_DIRECTORY });
      // Directories that exist, too: a process that was killed may have created them, and not synced their names.
      for (const each of toParents(dirname(path))) unsynced.add(each);
      const temporary = join(directory, `${path}.tmp`);
      await writeSynced(temporary, content);
      await rename(temporary, join(directory, path));
    },
    syncNames: async () => {
      for (const each of [...unsynced]) {
        await syncDirectory(join(directory, each));
        unsynced.delete(each);
      }
    },
  };
};

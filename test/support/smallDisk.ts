// A real file system that can be full: a tmpfs of a few MiB. Only root may mount it.
import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A mounted disk. */
export interface SmallDisk {
  /** Fills the free space. */
  fill(): Promise<void>;
  /** Frees that space again. */
  free(): Promise<void>;
  unmount(): Promise<void>;
}

const CHUNKS_BYTES = [2 ** 20, 4_096];

const writeUntilFull = async (path: string): Promise<void> => {
  await using file = await open(path, 'a');
  for (const bytes of CHUNKS_BYTES) {
    try {
      for (;;) await file.appendFile(Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
};

/** Mounts a disk of so many MiB on a directory; undefined if this process may not mount. */
export const mountSmallDisk = async (directory: string, mebibytes: number): Promise<SmallDisk | undefined> => {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory]);
  } catch {
    return undefined;
  }
  const filler = join(directory, 'filler');
  return {
    fill: () => writeUntilFull(filler),
    free: () => rm(filler, { force: true }),
    unmount: async () => {
      await run('umount', [directory]);
    },
  };
};

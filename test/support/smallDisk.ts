// A real file system that can be full: a tmpfs of a few MiB. Only root may mount it.
import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  /** Takes all space that is left. */
  fill(): Promise<void>;
  /** Gives it back. */
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

/** Mounts a disk of so many MiB on a directory; undefined where this process may not. */
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

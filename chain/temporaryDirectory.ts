// Directories in that of temporary files (TMPDIR) that go with their process: they are removed when they are closed,
// and also when a signal or an error ends the process first. Only SIGKILL and a power failure leave them behind.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new directory that only this user can read. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it with all that is in it. */
  readonly remove: () => Promise<void>;
}

/** Signals that end a process that doesn't listen to them. */
const ENDING_SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const held = new Set<string>();

// Node ends a process by a signal only if nothing listens to it.
const stopListening = (): void => {
  for (const signal of ENDING_SIGNALS) process.off(signal, endAlone);
  process.off('exit', removeTemporaryDirectories);
};

/** Removes all that this process has, at once, because it ends: by the next signal, if nobody else listens to it. */
export const removeTemporaryDirectories = (): void => {
  for (const path of held) rmSync(path, { recursive: true, force: true });
  held.clear();
  stopListening();
};

// Where somebody else listens, that one decides when the process ends.
function endAlone(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeTemporaryDirectories();
  process.kill(process.pid, signal);
}

const hold = (path: string): void => {
  held.add(path);
  if (held.size > 1) return;
  for (const signal of ENDING_SIGNALS) process.on(signal, endAlone);
  process.on('exit', removeTemporaryDirectories);
};

const release = (path: string): void => {
  if (held.delete(path) && held.size === 0) stopListening();
};

/** The number of listeners to a signal besides the one that removes temporary directories. */
export const countOtherListeners = (signal: NodeJS.Signals): number =>
  process.listeners(signal).filter((listener) => listener !== endAlone).length;

/** Makes a directory whose name begins with `prefix`, in `below`. */
export const openTemporaryDirectory = async (prefix: string, below = tmpdir()): Promise<TemporaryDirectory> => {
  const path = await mkdtemp(join(below, prefix));
  hold(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      release(path);
    },
  };
};

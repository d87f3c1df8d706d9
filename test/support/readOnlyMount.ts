// A directory at another path, where nothing can be written. Only root may mount it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Mounts a directory read-only at another path; resolves with what unmounts it, undefined if this process may not. */
export const mountReadOnly = async (directory: string, at: string): Promise<(() => Promise<void>) | undefined> => {
  const unmount = async (): Promise<void> => {
    await run('umount', [at]);
  };
  try {
    await run('mount', ['--bind', directory, at]);
  } catch {
    return undefined;
  }
  try {
    await run('mount', ['-o', 'remount,ro,bind', at]);
    return unmount;
  } catch {
    await unmount();
    return undefined;
  }
};

// Creates temporary directories for one test file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Registers a mocha hook that deletes all directories; the returned function creates a new empty one. */
export const useDirectories = (): (() => Promise<string>) => {
  const directories: string[] = [];
  after(async () => {
    await Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true })));
  });
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
    directories.push(directory);
    return directory;
  };
};

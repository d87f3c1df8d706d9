// Watches what this process syncs through Node: files and directories.
import fs from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const findPrototype = async (): Promise<FileHandle> => {
  await using handle = await open('.', 'r');
  return Object.getPrototypeOf(handle);
};

/** Runs `act`. Resolves with a function that returns whether a file or directory was synced meanwhile. */
export const watchSyncs = async (act: () => unknown): Promise<(path: string) => Promise<boolean>> => {
  const inodes = new Set<number>();
  const prototype = await findPrototype();
  const { sync } = prototype;
  const { fsyncSync } = fs;
  prototype.sync = async function (this: FileHandle) {
    inodes.add((await this.stat()).ino);
    return sync.call(this);
  };
  fs.fsyncSync = (descriptor) => {
    inodes.add(fs.fstatSync(descriptor).ino);
    fsyncSync(descriptor);
  };
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    prototype.sync = sync;
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
  }
  return async (path) => inodes.has((await stat(path)).ino);
};

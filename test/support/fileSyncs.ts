// Records what Node's file handles sync: the path, and its content when the sync began. Paths are read from the kernel,
// so that a handle of another file is never mistaken for the expected one.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { devNull } from 'node:os';

/** One sync. */
export interface WatchedSync {
  readonly path: string;
  /** Names in a directory, or the text of a file. */
  readonly content: readonly string[] | string;
}

const readContent = (path: string): WatchedSync['content'] =>
  statSync(path).isDirectory() ? readdirSync(path).sort() : readFileSync(path, 'utf8');

/** Returns the successful syncs while `act` runs, in order. */
export const watchFileSyncs = async (act: () => Promise<unknown>): Promise<WatchedSync[]> => {
  const probe = await open(devNull);
  await probe.close();
  const methods = Object.getPrototypeOf(probe) as FileHandle;
  const original = methods.sync;
  const syncs: WatchedSync[] = [];
  methods.sync = async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    const content = readContent(path);
    await original.call(this);
    syncs.push({ path, content });
  };
  try {
    await act();
  } finally {
    methods.sync = original;
  }
  return syncs;
};

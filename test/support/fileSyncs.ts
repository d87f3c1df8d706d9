// Watches what Node's file handles sync while something runs: a path, and what was there when the sync began. Paths are read from
// the kernel, so that a handle of another file cannot pass for the right one.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { devNull } from 'node:os';

export interface WatchedSync {
  readonly path: string;
  /** Names in a directory, or the text of a file. */
  readonly content: readonly string[] | string;
}

const look = (path: string): WatchedSync['content'] =>
  statSync(path).isDirectory() ? readdirSync(path).sort() : readFileSync(path, 'utf8');

/** The syncs that are made while `act` runs and that succeed, in their order. */
export const watchFileSyncs = async (act: () => Promise<unknown>): Promise<WatchedSync[]> => {
  const probe = await open(devNull);
  await probe.close();
  const methods = Object.getPrototypeOf(probe) as FileHandle;
  const original = methods.sync;
  const syncs: WatchedSync[] = [];
  methods.sync = async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`);
    const content = look(path);
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

// `node:fs` with simulated disks: what the project's modules use of it on the paths of a data directory. Other paths
// are the real file system's, and so are all other functions.
import * as fs from 'node:fs';
import { toContents } from './fileHandle.ts';
import { diskOf, isSimulated } from './mounts.ts';
import { listRemovals, type RemoveOptions } from './removeTree.ts';

// biome-ignore lint/performance/noBarrelFile: it stands in for the module.
export * from 'node:fs';

type Encoding = BufferEncoding | { encoding?: BufferEncoding | null };

/** Whether a path exists. */
export const existsSync = (path: fs.PathLike): boolean =>
  isSimulated(path) ? diskOf(path).find(path) !== undefined : fs.existsSync(path);

/** The names in a directory. */
export const readdirSync = (path: fs.PathLike): string[] =>
  isSimulated(path) ? diskOf(path).readDirectory(path) : fs.readdirSync(path);

/** The contents of a file. */
export const readFileSync = (path: fs.PathOrFileDescriptor, options?: Encoding): string | Buffer =>
  toContents(isSimulated(path) ? diskOf(path).readFile(path) : fs.readFileSync(path), options);

/** Removes a file, or a directory with everything in it. */
export const rmSync = (path: fs.PathLike, options?: RemoveOptions): void => {
  if (!isSimulated(path)) fs.rmSync(path, options);
  else for (const { run } of listRemovals(diskOf(path), path, options)) run();
};

// `node:fs/promises` with simulated disks: what the project's modules use of it on the paths of a data directory. Other
// paths are the real file system's; their files are read without a turn of the real event loop, so that a run depends
// on nothing but its seed.
import * as real from 'node:fs';
import * as promises from 'node:fs/promises';
import { perform } from '../world/processes.ts';
import type { Disk } from './disk.ts';
import {
  createFileHandle,
  type FileData,
  OPERATION_MS,
  type SimulatedHandle,
  toContents,
  toFileBytes,
} from './fileHandle.ts';
import { toSpace, toStats } from './fileStats.ts';
import { diskOf, isSimulated } from './mounts.ts';
import { listRemovals, type RemoveOptions } from './removeTree.ts';

// biome-ignore lint/performance/noBarrelFile: it stands in for the module.
export * from 'node:fs/promises';

type Path = string | URL | Buffer;
type Encoding = BufferEncoding | { encoding?: BufferEncoding | null };
type MkdirOptions = { recursive?: boolean; mode?: number };
type WriteOptions = { flag?: string; mode?: number };

const run = <T>(what: string, path: string, changes: boolean, effect: (disk: Disk) => T): Promise<T> =>
  perform({ what: () => `${what} ${path}`, delayMs: OPERATION_MS, changes, effect: () => effect(diskOf(path)) });

export const access = (path: Path, mode?: number): Promise<void> =>
  isSimulated(path)
    ? run('access', path, false, (disk) => void disk.require(path, 'access'))
    : promises.access(path, mode);

export const chmod = (path: Path, mode: number): Promise<void> => {
  if (!isSimulated(path)) return promises.chmod(path, mode);
  return run('change the mode of', path, true, (disk) => {
    disk.require(path, 'chmod').mode = mode;
  });
};

export const link = (from: Path, to: Path): Promise<void> =>
  isSimulated(from) && isSimulated(to)
    ? run(`link ${from} as`, to, true, (disk) => disk.link(from, to))
    : promises.link(from, to);

export const mkdir = (path: Path, options: MkdirOptions = {}): Promise<string | undefined> => {
  if (!isSimulated(path)) return promises.mkdir(path, options);
  return run('create directory', path, true, (disk) =>
    options.recursive ? disk.makeDirectories(path, options.mode) : void disk.makeDirectory(path, options.mode),
  );
};

export const open = (path: Path, flags = 'r', mode?: number): Promise<SimulatedHandle | promises.FileHandle> => {
  if (!isSimulated(path)) return promises.open(path, flags, mode);
  return run(`open (${flags})`, path, flags !== 'r', (disk) =>
    createFileHandle(disk, path, disk.open(path, flags, mode), flags !== 'r'),
  );
};

export const readdir = (path: Path): Promise<string[]> =>
  isSimulated(path) ? run('list', path, false, (disk) => disk.readDirectory(path)) : promises.readdir(path);

export const readFile = async (path: Path | promises.FileHandle, options?: Encoding): Promise<string | Buffer> => {
  if (isSimulated(path)) return run('read', path, false, (disk) => toContents(disk.readFile(path), options));
  return toContents(real.readFileSync(path as Path), options);
};

export const rename = (from: Path, to: Path): Promise<void> =>
  isSimulated(from) && isSimulated(to)
    ? run(`rename ${from} to`, to, true, (disk) => disk.rename(from, to))
    : promises.rename(from, to);

export const rm = async (path: Path, options?: RemoveOptions): Promise<void> => {
  if (!isSimulated(path)) return promises.rm(path, options);
  const removals = await run('list', path, false, (disk) => listRemovals(disk, path, options));
  for (const removal of removals) await run('remove', removal.path, true, removal.run);
};

export const rmdir = (path: Path): Promise<void> =>
  isSimulated(path) ? run('remove', path, true, (disk) => disk.removeDirectory(path)) : promises.rmdir(path);

export const stat = (path: Path): Promise<unknown> =>
  isSimulated(path) ? run('stat', path, false, (disk) => toStats(disk.require(path))) : promises.stat(path);

export const statfs = (path: Path): Promise<unknown> =>
  isSimulated(path) ? run('statfs', path, false, toSpace) : promises.statfs(path);

export const unlink = (path: Path): Promise<void> =>
  isSimulated(path) ? run('remove', path, true, (disk) => disk.unlink(path)) : promises.unlink(path);

export const writeFile = async (path: Path, data: FileData, options: WriteOptions = {}): Promise<void> => {
  if (!isSimulated(path)) return promises.writeFile(path, data, options);
  const { flag = 'w', mode } = options;
  const node = await run(`open (${flag})`, path, true, (disk) => disk.open(path, flag, mode));
  try {
    await run('write', path, true, (disk) => {
      if (node.kind === 'file') disk.append(node, toFileBytes(data));
    });
  } finally {
    diskOf(path).close(node);
  }
};

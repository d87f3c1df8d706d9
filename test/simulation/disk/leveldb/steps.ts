// The steps of LevelDB's work with files, on a simulated disk.
import { perform } from '../../world/processes.ts';
import type { Disk } from '../disk.ts';
import { toLevelText } from '../fileErrors.ts';
import type { FileNode, Inode } from '../inodes.ts';
import { createLogWriter } from './logWriter.ts';

/** Where a database is. */
export interface DatabasePlace {
  readonly disk: Disk;
  readonly directory: string;
}

type Range = readonly [number, number];

const DELAY_MS: Range = [0, 1];

/** An error of LevelDB with the code that classic-level gives it. */
export const createLevelError = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

/** Runs a system call; its error becomes LevelDB's. */
export const asLevel = <T>(path: string, call: () => T): T => {
  try {
    return call();
  } catch (error) {
    throw createLevelError(toLevelText(error, path), 'LEVEL_IO_ERROR');
  }
};

/** The steps of one database: each is a kill point. */
export const createSteps = ({ disk, directory }: DatabasePlace) => {
  const toPath = (name: string): string => `${directory}/${name}`;
  const { powerFailures } = disk;
  // A power failure also ends what no simulated process does.
  const step = <T>(what: string, name: string, effect: (path: string) => T, delayMs = DELAY_MS): Promise<T> =>
    disk.powerFailures !== powerFailures
      ? new Promise<T>(() => undefined)
      : perform({
          what: () => `${what} ${toPath(name)}`,
          delayMs,
          changes: true,
          effect: () => asLevel(toPath(name), () => effect(toPath(name))),
        });
  const open = (path: string): FileNode => disk.open(path, 'w') as FileNode;
  return {
    toPath,
    create: (name: string) => step('create', name, open),
    write: (name: string, write: (file: FileNode) => void, delayMs?: Range) => {
      const effect = (path: string): FileNode => {
        const file = open(path);
        write(file);
        return file;
      };
      return step('write', name, effect, delayMs);
    },
    append: (name: string, write: () => void) => step('write', name, write),
    sync: (name: string, file: Inode) => step('sync', name, () => disk.sync(file)),
    syncDirectory: () => step('sync', '', () => disk.sync(disk.require(directory))),
    rename: (from: string, to: string) => step(`rename ${from} to`, to, () => disk.rename(toPath(from), toPath(to))),
    remove: (name: string) => step('remove', name, (path) => disk.unlink(path)),
  };
};

/** What `createSteps` returns. */
export type Steps = ReturnType<typeof createSteps>;

/** Writes records to a file. */
export const appendTo = (disk: Disk, file: FileNode): ((record: Uint8Array) => void) =>
  createLogWriter((bytes) => disk.append(file, bytes));

/** Removes a file when its task fails, as LevelDB does, which ignores the errors of these removals. */
export const removeOnFailure = async <T>(place: DatabasePlace, name: string, task: () => Promise<T>): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    const path = `${place.directory}/${name}`;
    if (place.disk.find(path) !== undefined) place.disk.unlink(path);
    throw error;
  }
};

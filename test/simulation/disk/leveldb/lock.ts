// LevelDB's lock of a directory. It ends with its process.
import { perform, type SimulatedProcess } from '../../world/processes.ts';
import type { Disk } from '../disk.ts';
import { asLevel, createLevelError, type DatabasePlace } from './steps.ts';

const NAME = 'LOCK';
const DELAY_MS: readonly [number, number] = [0, 1];

/** Whether a living process has locked a file. */
export const isLocked = (disk: Disk, path: string): boolean =>
  disk.locks.has(path) && disk.locks.get(path)?.isAlive() !== false;

const take = ({ disk, directory }: DatabasePlace, owner: SimulatedProcess | undefined): (() => void) => {
  const path = `${directory}/${NAME}`;
  asLevel(path, () => disk.close(disk.open(path, 'a')));
  if (isLocked(disk, path)) {
    const reason = disk.locks.get(path) === owner ? 'already held by process' : 'Resource temporarily unavailable';
    throw createLevelError(`IO error: lock ${path}: ${reason}`, 'LEVEL_LOCKED');
  }
  disk.locks.set(path, owner);
  const { powerFailures } = disk;
  return () => {
    if (disk.powerFailures === powerFailures && disk.locks.get(path) === owner) disk.locks.delete(path);
  };
};

/**
 * Locks the directory of a database for a process, and creates it if it may. Resolves with the function that unlocks
 * it. Rejects with LEVEL_LOCKED while a living process has it.
 */
export const lock = (
  place: DatabasePlace,
  owner: SimulatedProcess | undefined,
  createsDirectory: boolean,
): Promise<() => void> =>
  perform({
    what: () => `lock ${place.directory}`,
    delayMs: DELAY_MS,
    changes: true,
    effect: () => {
      if (createsDirectory) place.disk.makeDirectories(place.directory);
      return take(place, owner);
    },
  });

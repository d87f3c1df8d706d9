// Opens LevelDB databases after any end of the process or the machine.
import { dirname } from 'node:path';
import type { Level } from 'level';
import { removeCutOffChange } from './cutOffChange.ts';
import { removeCutOffStart } from './cutOffStart.ts';
import { syncDirectory } from './syncDirectory.ts';

/**
 * Opens a database that was closed. Resolves when the names of its files are on the disk: LevelDB doesn't sync the last
 * one that it writes, CURRENT. Rejects with the error of LevelDB or of the file system; the database is closed then.
 */
export const reopenDatabase = async <K, V>(db: Level<K, V>, directory: string): Promise<void> => {
  await db.open();
  try {
    for (const path of [directory, dirname(directory)]) await syncDirectory(path);
  } catch (error) {
    await db.close();
    throw error;
  }
};

/**
 * Undoes what a power failure or a kill cut off in a database that no process has open, a first start or a change of
 * its files, so that LevelDB can open it. No acknowledged write is lost.
 */
export const removeCutOff = async (directory: string): Promise<void> => {
  await removeCutOffStart(directory);
  await removeCutOffChange(directory);
};

/**
 * Opens the database of a directory, which is created if needed; a first start that was cut off begins again, and a
 * change of its files that was cut off is undone. Resolves and rejects as `reopenDatabase` does. `create` must return a
 * new database: it opens itself, so nothing may change its files afterwards.
 */
export const openDatabase = async <K, V>(directory: string, create: () => Level<K, V>): Promise<Level<K, V>> => {
  await removeCutOff(directory);
  const db = create();
  await reopenDatabase(db, directory);
  return db;
};

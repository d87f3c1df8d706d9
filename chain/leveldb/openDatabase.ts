// Opens LevelDB databases after any end of the process or the machine.
import type { Level } from 'level';
import { removeCutOffStart } from './cutOffStart.ts';

/**
 * Opens the database of a directory, which is created if needed; a first start that was cut off begins again. Rejects
 * with LevelDB's error. `create` must return a new database: it opens itself, so that nothing may change its files
 * afterwards.
 */
export const openDatabase = async <K, V>(directory: string, create: () => Level<K, V>): Promise<Level<K, V>> => {
  await removeCutOffStart(directory);
  const db = create();
  await db.open();
  return db;
};

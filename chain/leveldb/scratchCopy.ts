// Copies damaged databases, so that the copies can be opened. LevelDB changes the files of a database when it opens it,
// and deletes those that it can't read, so a repair never opens the originals.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { Level } from 'level';
import { findFileDamage } from './fileDamage.ts';
import { removeCutOff } from './openDatabase.ts';

// The types of `level` lack this static method.
const repairFiles = (directory: string): Promise<void> =>
  (Level as unknown as { repair(location: string): Promise<void> }).repair(directory);

const HAS_ENTRIES = /\.(?:ldb|sst|log)$/;

/**
 * Copies the database of a directory to another directory. If a file is damaged, or CURRENT or MANIFEST is missing,
 * LevelDB repairs the copy: it builds a new database from everything that can be read. The reader must check the
 * values.
 */
export const createScratchCopy = async (source: string, directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (existsSync(source)) {
    await cp(source, directory, { recursive: true, filter: (path) => !path.endsWith('LOCK') });
  }
  await removeCutOff(directory);
  const names = await readdir(directory);
  const isUndamaged = names.includes('CURRENT') && (await findFileDamage(directory)) === undefined;
  if (!isUndamaged && names.some((name) => HAS_ENTRIES.test(name))) await repairFiles(directory);
};

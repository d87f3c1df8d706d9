// First starts of a database that a kill or a power failure cut off. LevelDB creates MANIFEST-000001, which it doesn't
// sync, lets CURRENT name it, then creates a log and MANIFEST-000002, which it syncs, and lets CURRENT name that one.
// Only then it accepts writes. If the contents of MANIFEST-000001 are lost in between, LevelDB can't open the database.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedBytes } from './byteReader.ts';
import { toLogNumber } from './fileNames.ts';
import { readLiveFiles } from './manifestFile.ts';

const CURRENT = 'CURRENT';
const FIRST_MANIFEST = 'MANIFEST-000001';
const OF_DATABASE = /^(?:MANIFEST-\d+|\d+\.(?:ldb|sst|log))$/;
const MANIFESTS: readonly string[] = [FIRST_MANIFEST, 'MANIFEST-000002'];

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code;

const findFiles = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).filter((name) => OF_DATABASE.test(name)) : [];

const readIfThere = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

// A first MANIFEST with tables is from a repair by LevelDB.
const namesFiles = (manifest: Buffer): boolean => {
  try {
    const { firstLog, tables } = readLiveFiles(manifest);
    return firstLog > 0 || tables.size > 0;
  } catch (error) {
    if (error instanceof DamagedBytes || error instanceof RangeError) return false;
    throw error;
  }
};

// Before the first opening ends, no log has a byte.
const isOfCutOffStart = (directory: string, name: string): boolean => {
  if (toLogNumber(name) !== undefined) return readIfThere(join(directory, name))?.length === 0;
  return MANIFESTS.includes(name);
};

const hasNoRows = (directory: string): boolean => {
  const names = findFiles(directory);
  const current = readIfThere(join(directory, CURRENT))?.toString('latin1').trim();
  if (current === undefined) return names.every((name) => name === FIRST_MANIFEST);
  if (current !== FIRST_MANIFEST || !names.every((name) => isOfCutOffStart(directory, name))) return false;
  return !namesFiles(readIfThere(join(directory, FIRST_MANIFEST)) ?? Buffer.alloc(0));
};

/**
 * Whether a directory has at most the files of a first start that was cut off, which has acknowledged no write. False
 * when it may have more.
 */
export const isCutOffStart = (directory: string): boolean => {
  try {
    return hasNoRows(directory);
  } catch (error) {
    // A file that can't be read may have rows.
    if (isCode(error, 'EIO')) return false;
    throw error;
  }
};

/**
 * Removes what a first start left that was cut off, so that LevelDB can open the directory. Removes nothing else. No
 * process may have the database open.
 */
export const removeCutOffStart = async (directory: string): Promise<void> => {
  if (isCutOffStart(directory)) await removeDatabaseFiles(directory);
};

/** Removes all files of a database but its lock. No process may have it open. */
export const removeDatabaseFiles = async (directory: string): Promise<void> => {
  // CURRENT last: the other files without it would count as damage.
  for (const name of [...findFiles(directory), CURRENT]) await rm(join(directory, name), { force: true });
};

/** Whether a directory has files of a database, damaged or not. */
export const hasDatabaseFiles = (directory: string): boolean => !isCutOffStart(directory);

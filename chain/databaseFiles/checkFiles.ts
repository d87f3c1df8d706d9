// Checks the files of a LevelDB database byte by byte against the checksums that LevelDB wrote: LevelDB itself skips damaged records of its
// log without an error, and the binding can't make it verify its tables.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedBytes } from './bytes.ts';
import { readLogRecords } from './logFile.ts';
import { readLiveFiles } from './manifest.ts';
import { checkTable } from './tableFile.ts';

export interface FileDamage {
  /** Name of the file in its directory. */
  readonly file: string;
  /** Bytes from its beginning. */
  readonly offset: number;
  readonly problem: string;
}

const TABLE = /^(\d+)\.(?:ldb|sst)$/;
const LOG = /^(\d+)\.log$/;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const isUnreadable = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EIO';

const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

const namesIn = async (directory: string): Promise<string[]> => {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

// A file that goes away while it is looked at was replaced by LevelDB.
const findDamageOf = async (
  directory: string,
  file: string,
  check: (bytes: Buffer) => unknown,
): Promise<FileDamage | undefined> => {
  try {
    const bytes = await readIfThere(join(directory, file));
    if (bytes !== undefined) check(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedBytes) return { file, offset: error.offset, problem: error.message };
    if (error instanceof RangeError || isUnreadable(error))
      return { file, offset: 0, problem: (error as Error).message };
    throw error;
  }
};

const toNumber = (pattern: RegExp, name: string): number => Number(pattern.exec(name)?.[1] ?? Number.NaN);

const readCurrent = async (directory: string): Promise<string | undefined> =>
  (await readIfThere(join(directory, 'CURRENT')))?.toString('latin1').trim();

/** The tables that a database is made of now; undefined when its MANIFEST can't be read. */
const findTables = async (directory: string, names: readonly string[]) => {
  const manifest = await readIfThere(join(directory, (await readCurrent(directory)) || 'CURRENT'));
  const live = readLiveFiles(manifest ?? Buffer.alloc(0));
  return { live, tables: names.filter((name) => live.tables.has(toNumber(TABLE, name))) };
};

/** The first damage in the tables of a database, which may be open. */
export const findTableDamage = async (directory: string): Promise<FileDamage | undefined> => {
  const { tables } = await findTables(directory, await namesIn(directory));
  for (const file of tables) {
    const damage = await findDamageOf(directory, file, checkTable);
    if (damage !== undefined) return damage;
  }
  return undefined;
};

/**
 * The first damage in the files of a database that nobody has open; undefined when there is none, or no database. A write that a power loss cut
 * off at the end of the log is no damage.
 */
export const findFileDamage = async (directory: string): Promise<FileDamage | undefined> => {
  const current = await readCurrent(directory);
  if (current === undefined) return undefined;
  if (!/^MANIFEST-\d+$/.test(current)) return { file: 'CURRENT', offset: 0, problem: 'it names no MANIFEST' };
  const damage = await findDamageOf(directory, current, readLiveFiles);
  if (damage !== undefined) return damage;
  const names = await namesIn(directory);
  if (!names.includes(current)) return { file: current, offset: 0, problem: 'the file is missing' };
  const { live, tables } = await findTables(directory, names);
  if (tables.length < live.tables.size)
    return { file: current, offset: 0, problem: 'a table that it names is missing' };
  const logs = names.filter((name) => toNumber(LOG, name) >= live.firstLog);
  for (const file of logs) {
    const found = await findDamageOf(directory, file, readLogRecords);
    if (found !== undefined) return found;
  }
  return findTableDamage(directory);
};

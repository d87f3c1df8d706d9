// Checks the files of a LevelDB database byte by byte against LevelDB's checksums: LevelDB itself skips damaged records
// of its log without an error, and the binding can't make it verify its tables.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DamagedBytes } from './byteReader.ts';
import { isCutOffStart } from './cutOffStart.ts';
import { toLogNumber, toManifestName, toTableNumber } from './fileNames.ts';
import { readLogRecords } from './logFile.ts';
import { createGapCheck } from './logSequence.ts';
import { readLiveFiles } from './manifestFile.ts';
import { checkTable } from './tableFile.ts';

/** Damage in one file. */
export interface FileDamage {
  /** Name of the file in its directory. */
  readonly file: string;
  /** Bytes from its beginning. */
  readonly offset: number;
  readonly problem: string;
}

const NUMBER_DIGITS = 6;

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

const CHECK_SLICE_MS = 5;

/** Options of a check. */
export interface FileCheckOptions {
  /** Called every few milliseconds with the number of table bytes that were checked. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
  /**
   * Whether nothing is written after a failed write until the database is opened again, and LevelDB is never made to
   * compact. Then a gap between the sequence numbers in the logs is damage: a failed write leaves one, too.
   */
  readonly isGapless?: boolean;
}

// Runs the steps of a check, with pauses in which the event loop runs.
const runInTurns = async (steps: Iterable<number>, onStep: (at: number) => void): Promise<void> => {
  let startedMs = performance.now();
  for (const at of steps) {
    if (performance.now() - startedMs < CHECK_SLICE_MS) continue;
    onStep(at);
    await setImmediate();
    startedMs = performance.now();
  }
};

const toDamage = (file: string, error: unknown): FileDamage => {
  if (error instanceof DamagedBytes) return { file, offset: error.offset, problem: error.message };
  if (error instanceof RangeError || isUnreadable(error)) return { file, offset: 0, problem: (error as Error).message };
  throw error;
};

// LevelDB may delete a file during the check, after replacing it with another.
const findDamageOf = async (
  directory: string,
  file: string,
  check: (bytes: Buffer) => unknown,
): Promise<FileDamage | undefined> => {
  try {
    const bytes = await readIfThere(join(directory, file));
    if (bytes !== undefined) await check(bytes);
    return undefined;
  } catch (error) {
    return toDamage(file, error);
  }
};

const readCurrent = async (directory: string): Promise<string | undefined> =>
  (await readIfThere(join(directory, 'CURRENT')))?.toString('latin1').trim();

/** The tables that are part of a database now; none when its MANIFEST can't be read. */
const findTables = async (directory: string, names: readonly string[]) => {
  const manifest = await readIfThere(join(directory, (await readCurrent(directory)) || 'CURRENT'));
  const live = readLiveFiles(manifest ?? Buffer.alloc(0), names);
  return { live, tables: names.filter((name) => live.tables.has(toTableNumber(name) ?? Number.NaN)) };
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
};

/** The first damage in the tables of a database, which may be open. The event loop runs every few milliseconds. */
export const findTableDamage = async (
  directory: string,
  { onProgress = () => undefined }: FileCheckOptions = {},
): Promise<FileDamage | undefined> => {
  const { tables } = await findTables(directory, await namesIn(directory));
  const sizes = await Promise.all(tables.map((file) => sizeOf(join(directory, file))));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  for (const [at, file] of tables.entries()) {
    const check = (bytes: Buffer) =>
      runInTurns(checkTable(bytes), (checked) => onProgress(Math.min(done + checked, total), total));
    const damage = await findDamageOf(directory, file, check);
    if (damage !== undefined) return damage;
    done += sizes[at]!;
  }
  onProgress(total, total);
  return undefined;
};

const MISSING = 'the file is missing';

const findCurrentDamage = (current: string | undefined): FileDamage | undefined => {
  if (current === undefined) return { file: 'CURRENT', offset: 0, problem: MISSING };
  if (toManifestName(current) !== undefined) return undefined;
  return { file: 'CURRENT', offset: 0, problem: 'it names no MANIFEST' };
};

// LevelDB creates a log before a MANIFEST names it, and opens without it. A MANIFEST that names log 0 is from a first
// start that was cut off.
const findLogDamage = async (
  directory: string,
  firstLog: number,
  names: readonly string[],
  { isGapless = false }: FileCheckOptions,
) => {
  const check = isGapless ? createGapCheck() : readLogRecords;
  const logs = names
    .map((name) => ({ name, number: toLogNumber(name) ?? -1 }))
    .filter(({ number }) => number >= firstLog)
    .sort((one, other) => one.number - other.number);
  if (firstLog > 0 && logs[0]?.number !== firstLog)
    return { file: `${String(firstLog).padStart(NUMBER_DIGITS, '0')}.log`, offset: 0, problem: MISSING };
  for (const { name: file } of logs) {
    const damage = await findDamageOf(directory, file, check);
    if (damage !== undefined) return damage;
  }
  return undefined;
};

/**
 * The first damage in the files of a closed database; undefined when there is none, or no database. A first start that
 * was cut off is not damage, nor is a write at the end of the log that a power failure cut off.
 */
export const findFileDamage = async (
  directory: string,
  options: FileCheckOptions = {},
): Promise<FileDamage | undefined> => {
  if (isCutOffStart(directory)) return undefined;
  const names = await namesIn(directory);
  const current = await readCurrent(directory);
  const currentDamage = findCurrentDamage(current);
  if (current === undefined || currentDamage !== undefined) return currentDamage;
  const damage = await findDamageOf(directory, current, readLiveFiles);
  if (damage !== undefined) return damage;
  if (!names.includes(current)) return { file: current, offset: 0, problem: MISSING };
  const { live, tables } = await findTables(directory, names);
  if (tables.length < live.tables.size)
    return { file: current, offset: 0, problem: 'a table that it lists is missing' };
  return (await findLogDamage(directory, live.firstLog, names, options)) ?? findTableDamage(directory, options);
};

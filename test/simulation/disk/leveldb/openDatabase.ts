// Opens a simulated database in the order of LevelDB's own steps, so that a kill or a power failure between two of them
// leaves what LevelDB would leave. What LevelDB writes from the old logs into a table goes into the new log here: under
// a temporary name until it is synced, because LevelDB reads no table that no MANIFEST names.
import { perform } from '../../world/processes.ts';
import type { Disk } from '../disk.ts';
import { toLevelText } from '../fileErrors.ts';
import type { FileNode, Inode } from '../inodes.ts';
import { decodeBatch, encodeBatch } from './batch.ts';
import { findNumberedFiles, toLogName, toManifestName, toTemporaryName } from './fileNames.ts';
import { readRecords } from './logReader.ts';
import { createLogWriter } from './logWriter.ts';
import { Corruption, encodeComparator, encodeState, type ManifestState, readManifest } from './manifest.ts';
import { applyOperations, findValue, type Rows, toName } from './rows.ts';

/** Where a database is. */
export interface DatabasePlace {
  readonly disk: Disk;
  readonly directory: string;
}

/** An opened database. */
export interface OpenedDatabase {
  readonly rows: Rows;
  readonly lastSequence: number;
  /** The log, which is open. */
  readonly log: FileNode;
  /** Path of the log. */
  readonly logName: string;
  readonly writeRecord: (record: Uint8Array) => void;
}

interface Recovered {
  readonly rows: Rows;
  /** Keys that the logs delete: the new log deletes them, too, in case an older log is read again and ends earlier. */
  readonly deleted: readonly Buffer[];
  readonly lastSequence: number;
  /** Numbers of the new log and the new MANIFEST, and of the next file after them. */
  readonly logNumber: number;
  readonly manifestNumber: number;
  readonly nextFile: number;
}

const CURRENT = 'CURRENT';
const DELAY_MS: readonly [number, number] = [0, 1];
const FIRST_MANIFEST = 1;
/** Rows and deletions in one record of a new log. */
const RECORD_ROWS = 64;

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
const createSteps = ({ disk, directory }: DatabasePlace) => {
  const toPath = (name: string): string => `${directory}/${name}`;
  const step = <T>(what: string, name: string, effect: (path: string) => T): Promise<T> =>
    perform({
      what: () => `${what} ${toPath(name)}`,
      delayMs: DELAY_MS,
      changes: true,
      effect: () => asLevel(toPath(name), () => effect(toPath(name))),
    });
  const open = (path: string): FileNode => disk.open(path, 'w') as FileNode;
  return {
    toPath,
    create: (name: string) => step('create', name, open),
    write: (name: string, write: (file: FileNode) => void) =>
      step('write', name, (path) => {
        const file = open(path);
        write(file);
        return file;
      }),
    sync: (name: string, file: Inode) => step('sync', name, () => disk.sync(file)),
    syncDirectory: () => step('sync', '', () => disk.sync(disk.require(directory))),
    rename: (from: string, to: string) => step(`rename ${from} to`, to, () => disk.rename(toPath(from), toPath(to))),
    remove: (name: string) => step('remove', name, (path) => disk.unlink(path)),
  };
};

type Steps = ReturnType<typeof createSteps>;

const appendTo = (disk: Disk, file: FileNode): ((record: Uint8Array) => void) =>
  createLogWriter((bytes) => disk.append(file, bytes));

// As LevelDB, which ignores the errors of these removals.
const removeOnFailure = async <T>(place: DatabasePlace, name: string, task: () => Promise<T>): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    const path = `${place.directory}/${name}`;
    if (place.disk.find(path) !== undefined) place.disk.unlink(path);
    throw error;
  }
};

const setCurrent = (place: DatabasePlace, steps: Steps, manifestNumber: number): Promise<void> => {
  const temporary = toTemporaryName(manifestNumber);
  const contents = Buffer.from(`${toManifestName(manifestNumber)}\n`);
  return removeOnFailure(place, temporary, async () => {
    const file = await steps.write(temporary, (created) => place.disk.append(created, contents));
    await steps.sync(temporary, file);
    place.disk.close(file);
    await steps.rename(temporary, CURRENT);
  });
};

const createDatabase = async (place: DatabasePlace, steps: Steps): Promise<void> => {
  const { disk } = place;
  const name = toManifestName(FIRST_MANIFEST);
  const state = { logNumber: 0, nextFile: 2, lastSequence: 0 };
  const record = Buffer.concat([encodeComparator(), encodeState(state, true)]);
  // LevelDB doesn't sync it.
  const write = () => steps.write(name, (created) => appendTo(disk, created)(record));
  disk.close(await removeOnFailure(place, name, write));
  await setCurrent(place, steps, FIRST_MANIFEST);
};

const readCurrent = ({ disk, directory }: DatabasePlace): string => {
  const path = `${directory}/${CURRENT}`;
  const current = asLevel(path, () => disk.readFile(path)).toString('latin1');
  if (!current.endsWith('\n')) throw new Corruption('CURRENT file does not end with newline');
  return current.slice(0, -1);
};

const readState = (place: DatabasePlace): ManifestState => {
  const path = `${place.directory}/${readCurrent(place)}`;
  return readManifest(asLevel(path, () => place.disk.readFile(path)));
};

type Replayed = Pick<Recovered, 'rows' | 'deleted' | 'lastSequence'>;

const replay = (file: Buffer, rows: Rows): Replayed => {
  let lastSequence = 0;
  const operations = [...readRecords(file, () => undefined)].flatMap((record) => {
    const batch = decodeBatch(record);
    if (batch === undefined) return [];
    lastSequence = Math.max(lastSequence, batch.sequence + batch.operations.length - 1);
    return batch.operations;
  });
  const deleted = operations.filter(({ value }) => value === undefined).map(({ key }) => key);
  return { rows: applyOperations(rows, operations), deleted, lastSequence };
};

const recover = (place: DatabasePlace): Recovered => {
  const { disk, directory } = place;
  const state = readState(place);
  const logs = findNumberedFiles(disk.readDirectory(directory))
    .filter(({ kind, number }) => kind === 'log' && number >= state.logNumber)
    .sort((one, other) => one.number - other.number);
  let rows: Rows = [];
  let { lastSequence } = state;
  const deletions = new Map<string, Buffer>();
  for (const { name } of logs) {
    const replayed = replay(disk.readFile(`${directory}/${name}`), rows);
    rows = replayed.rows;
    for (const key of replayed.deleted) deletions.set(toName(key), key);
    lastSequence = Math.max(lastSequence, replayed.lastSequence);
  }
  const usedNumbers = [state.nextFile, state.logNumber, ...logs.map(({ number }) => number)];
  const logNumber = Math.max(...usedNumbers) + 1;
  const deleted = [...deletions].filter(([name]) => findValue(rows, name) === undefined).map(([, key]) => key);
  return { rows, deleted, lastSequence, logNumber, manifestNumber: state.nextFile, nextFile: logNumber + 1 };
};

const toRefusal = (error: unknown): unknown =>
  error instanceof Corruption ? createLevelError(`Corruption: ${error.message}`, 'LEVEL_CORRUPTION') : error;

const recoverOrRefuse = (place: DatabasePlace): Promise<Recovered> =>
  perform({
    what: () => `recover ${place.directory}`,
    delayMs: DELAY_MS,
    changes: false,
    effect: () => {
      try {
        return recover(place);
      } catch (error) {
        throw toRefusal(error);
      }
    },
  });

// All rows and deletions, under new sequence numbers.
const writeNewLog = async (
  place: DatabasePlace,
  steps: Steps,
  { rows, deleted, lastSequence, logNumber }: Recovered,
): Promise<OpenedDatabase> => {
  const { disk } = place;
  const name = toLogName(logNumber);
  const operations = [...rows, ...deleted.map((key) => ({ key, value: undefined }))];
  if (operations.length === 0) {
    const log = await steps.create(name);
    return { rows, lastSequence, log, logName: steps.toPath(name), writeRecord: appendTo(disk, log) };
  }
  const temporary = toTemporaryName(logNumber);
  let writeRecord: OpenedDatabase['writeRecord'] = () => undefined;
  const log = await removeOnFailure(place, temporary, async () => {
    const file = await steps.write(temporary, (created) => {
      writeRecord = appendTo(disk, created);
      for (let at = 0; at < operations.length; at += RECORD_ROWS) {
        writeRecord(encodeBatch(operations.slice(at, at + RECORD_ROWS), lastSequence + 1 + at).record);
      }
    });
    await steps.sync(temporary, file);
    await steps.rename(temporary, name);
    return file;
  });
  return { rows, lastSequence: lastSequence + operations.length, log, logName: steps.toPath(name), writeRecord };
};

const writeManifest = async (
  place: DatabasePlace,
  steps: Steps,
  { logNumber, manifestNumber, nextFile }: Recovered,
  lastSequence: number,
): Promise<void> => {
  const { disk } = place;
  const name = toManifestName(manifestNumber);
  await removeOnFailure(place, name, async () => {
    const file = await steps.write(name, (created) => {
      const writeRecord = appendTo(disk, created);
      writeRecord(encodeComparator());
      writeRecord(encodeState({ logNumber, nextFile, lastSequence }, false));
    });
    await steps.syncDirectory();
    await steps.sync(name, file);
    disk.close(file);
    await setCurrent(place, steps, manifestNumber);
  });
};

const isObsolete = (
  { kind, number }: { kind: string; number: number },
  { logNumber, manifestNumber }: Recovered,
): boolean => {
  if (kind === 'log') return number < logNumber;
  return kind === 'manifest' ? number < manifestNumber : true;
};

const removeObsolete = async ({ disk, directory }: DatabasePlace, steps: Steps, recovered: Recovered) => {
  for (const file of findNumberedFiles(disk.readDirectory(directory))) {
    if (isObsolete(file, recovered)) await steps.remove(file.name);
  }
};

/** Whether a directory has a database. */
export const hasDatabase = ({ disk, directory }: DatabasePlace): boolean =>
  disk.find(`${directory}/${CURRENT}`) !== undefined;

/**
 * Opens the database of a locked directory, or creates it. Rejects with LevelDB's errors: LEVEL_CORRUPTION,
 * LEVEL_IO_ERROR.
 */
export const openDatabase = async (place: DatabasePlace): Promise<OpenedDatabase> => {
  const steps = createSteps(place);
  if (!hasDatabase(place)) await createDatabase(place, steps);
  const recovered = await recoverOrRefuse(place);
  const opened = await writeNewLog(place, steps, recovered);
  await writeManifest(place, steps, recovered, opened.lastSequence);
  await removeObsolete(place, steps, recovered);
  return opened;
};

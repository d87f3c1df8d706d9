// Opens a simulated database in the order of LevelDB's own steps, so that a kill or a power failure between two of them
// leaves what LevelDB would leave.
import { readTableEntries } from '../../../../chain/leveldb/tableFile.ts';
import { perform } from '../../world/processes.ts';
import type { FileNode } from '../inodes.ts';
import { decodeBatch, type StoredOperation } from './batch.ts';
import {
  findNumberedFiles,
  type NumberedFile,
  toLogName,
  toManifestName,
  toTableName,
  toTemporaryName,
} from './fileNames.ts';
import { readRecords } from './logReader.ts';
import {
  Corruption,
  encodeComparator,
  encodeState,
  type ManifestState,
  readManifest,
  type TableFile,
} from './manifest.ts';
import { applyOperations, type Rows } from './rows.ts';
import {
  appendTo,
  asLevel,
  createLevelError,
  createSteps,
  type DatabasePlace,
  removeOnFailure,
  type Steps,
} from './steps.ts';
import { writeTable } from './writeTable.ts';

/** An open file to which records are written. */
export interface RecordFile {
  readonly name: string;
  readonly file: FileNode;
  readonly writeRecord: (record: Uint8Array) => void;
}

/** An opened database. */
export interface OpenedDatabase {
  readonly place: DatabasePlace;
  readonly rows: Rows;
  readonly lastSequence: number;
  readonly log: RecordFile;
  readonly manifest: RecordFile;
  /** Number of the next new file. */
  readonly nextFile: number;
}

interface Recovered {
  readonly rows: Rows;
  readonly lastSequence: number;
  /** The tables that have all rows; undefined when some are in logs. */
  readonly tables: readonly TableFile[] | undefined;
  /** Numbers of the new table, the new log and the new MANIFEST. */
  readonly tableNumber: number;
  readonly logNumber: number;
  readonly manifestNumber: number;
}

const CURRENT = 'CURRENT';
const DELAY_MS: readonly [number, number] = [0, 1];
const FIRST_MANIFEST = 1;

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
  const state = { logNumber: 0, nextFile: 2, lastSequence: 0, tables: [] };
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

interface Replayed {
  readonly operations: readonly StoredOperation[];
  readonly lastSequence: number;
}

const replay = (file: Buffer): Replayed => {
  let lastSequence = 0;
  const operations = [...readRecords(file, () => undefined)].flatMap((record) => {
    const batch = decodeBatch(record);
    if (batch === undefined) return [];
    lastSequence = Math.max(lastSequence, batch.sequence + batch.operations.length - 1);
    return batch.operations;
  });
  return { operations, lastSequence };
};

const readTables = ({ disk, directory }: DatabasePlace, { tables }: ManifestState): Rows => {
  const paths = tables.map(({ number }) => `${directory}/${toTableName(number)}`);
  const missing = paths.filter((path) => disk.find(path) === undefined);
  if (missing.length > 0) throw new Corruption(`${missing.length} missing files`);
  return paths.reduce<Rows>((rows, path) => applyOperations(rows, [...readTableEntries(disk.readFile(path))]), []);
};

const recover = (place: DatabasePlace): Recovered => {
  const { disk, directory } = place;
  const state = readState(place);
  const logs = findNumberedFiles(disk.readDirectory(directory))
    .filter(({ kind, number }) => kind === 'log' && number >= state.logNumber)
    .sort((one, other) => one.number - other.number);
  const replayed = logs.map(({ name }) => replay(disk.readFile(`${directory}/${name}`)));
  const operations = replayed.flatMap((log) => log.operations);
  const rows = applyOperations(readTables(place, state), operations);
  const tableNumber = Math.max(state.nextFile, state.logNumber, ...logs.map(({ number }) => number)) + 1;
  return {
    rows,
    lastSequence: Math.max(state.lastSequence, ...replayed.map((log) => log.lastSequence)),
    tables: operations.length === 0 ? state.tables : undefined,
    tableNumber,
    logNumber: operations.length === 0 ? tableNumber : tableNumber + 1,
    manifestNumber: state.nextFile,
  };
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

// The tables of the opened database. Rows of logs are written to one table with those of older tables: LevelDB would do
// that when it has some more tables.
const writeTables = async (place: DatabasePlace, steps: Steps, recovered: Recovered): Promise<readonly TableFile[]> => {
  const { rows, lastSequence, tableNumber, tables } = recovered;
  if (tables !== undefined || rows.length === 0) return tables ?? [];
  return [await writeTable(place, steps, { number: tableNumber, entries: rows, sequence: lastSequence })];
};

const createLog = async ({ disk }: DatabasePlace, steps: Steps, number: number): Promise<RecordFile> => {
  const name = toLogName(number);
  const file = await steps.create(name);
  return { name, file, writeRecord: appendTo(disk, file) };
};

const writeManifest = (
  place: DatabasePlace,
  steps: Steps,
  manifestNumber: number,
  state: ManifestState,
): Promise<RecordFile> => {
  const name = toManifestName(manifestNumber);
  return removeOnFailure(place, name, async () => {
    let writeRecord: RecordFile['writeRecord'] = () => undefined;
    const file = await steps.write(name, (created) => {
      writeRecord = appendTo(place.disk, created);
      writeRecord(encodeComparator());
      writeRecord(encodeState(state, false));
    });
    await steps.syncDirectory();
    await steps.sync(name, file);
    await setCurrent(place, steps, manifestNumber);
    return { name, file, writeRecord };
  });
};

const removeObsolete = async (
  { disk, directory }: DatabasePlace,
  steps: Steps,
  { logNumber, manifestNumber }: Recovered,
  tables: readonly TableFile[],
): Promise<void> => {
  const isObsolete = ({ kind, number }: NumberedFile): boolean => {
    if (kind === 'log') return number < logNumber;
    if (kind === 'table') return !tables.some((table) => table.number === number);
    return kind === 'manifest' ? number < manifestNumber : true;
  };
  for (const file of findNumberedFiles(disk.readDirectory(directory))) {
    if (isObsolete(file)) await steps.remove(file.name);
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
  const { rows, lastSequence, logNumber, manifestNumber } = recovered;
  const tables = await writeTables(place, steps, recovered);
  const log = await createLog(place, steps, logNumber);
  const state = { logNumber, nextFile: logNumber + 1, lastSequence, tables };
  const manifest = await writeManifest(place, steps, manifestNumber, state);
  await removeObsolete(place, steps, recovered, tables);
  return { place, rows, lastSequence, log, manifest, nextFile: logNumber + 1 };
};

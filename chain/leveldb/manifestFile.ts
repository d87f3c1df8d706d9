// Reads which files are part of a LevelDB database from its MANIFEST, a log of changes to that set.
import { type ByteReader, createByteReader, DamagedBytes } from './byteReader.ts';
import { toLogNumber, toTableNumber } from './fileNames.ts';
import { readLogRecords } from './logFile.ts';

/** A range of keys, both ends included. */
export interface FileKeyRange {
  readonly smallest: Uint8Array;
  readonly largest: Uint8Array;
}

/** The files of a database. */
export interface LiveFiles {
  /** Numbers of the tables. */
  readonly tables: ReadonlySet<number>;
  /** Number of the first log that LevelDB reads when it opens the database. */
  readonly firstLog: number;
  /** Keys of each table, by the table's number. */
  readonly keyRanges: ReadonlyMap<number, FileKeyRange>;
  /** Where the changes end in the MANIFEST that lead to these files, in bytes. */
  readonly end: number;
}

const TAG = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const;

/** Bytes after each key: sequence number and kind of the entry. */
const KEY_TRAILER_BYTES = 8;

const readTable = (reader: ByteReader): [number, FileKeyRange] => {
  const readKey = (): Buffer => reader.take(reader.varint()).subarray(0, -KEY_TRAILER_BYTES);
  reader.varint();
  const number = reader.varint();
  reader.varint();
  return [number, { smallest: readKey(), largest: readKey() }];
};

const followChanges = (changes: readonly Buffer[], end: number): LiveFiles => {
  const keyRanges = new Map<number, FileKeyRange>();
  let firstLog: number | undefined;
  const readEdit = (edit: Buffer): void => {
    const reader = createByteReader(edit, 0);
    const skipText = (): unknown => reader.take(reader.varint());
    const readers: Readonly<Record<number, () => unknown>> = {
      [TAG.comparator]: skipText,
      [TAG.logNumber]: () => {
        firstLog = reader.varint();
      },
      [TAG.nextFile]: reader.varint,
      [TAG.lastSequence]: reader.varint,
      [TAG.compactPointer]: () => [reader.varint(), skipText()],
      [TAG.deletedFile]: () => [reader.varint(), keyRanges.delete(reader.varint())],
      [TAG.newFile]: () => keyRanges.set(...readTable(reader)),
      [TAG.previousLog]: reader.varint,
    };
    while (!reader.isAtEnd) {
      const read = readers[reader.varint()];
      if (read === undefined) throw new DamagedBytes(0, 'a change of the set of files is unknown');
      read();
    }
  };
  for (const change of changes) readEdit(change);
  if (firstLog === undefined) throw new DamagedBytes(0, 'it names no log');
  return { tables: new Set(keyRanges.keys()), firstLog, keyRanges, end };
};

const hasTables = (names: readonly string[], { tables }: LiveFiles): boolean => {
  const found = new Set(names.map(toTableNumber));
  return [...tables].every((number) => found.has(number));
};

/**
 * The files that a MANIFEST names. A change that a power failure cut off is left out: LevelDB writes a change, then
 * syncs it, and only then removes the files that it replaces. So that is a damaged end, or with the `names` of the
 * files in the directory, a last change without its tables while all files from before it are there.
 * @throws DamagedBytes when it is damaged, or names no log.
 */
export const readLiveFiles = (manifest: Buffer, names: readonly string[] = []): LiveFiles => {
  const { records, offsets, end } = readLogRecords(manifest);
  const live = followChanges(records, end);
  if (names.length === 0 || hasTables(names, live)) return live;
  const [earlier, cutAt] = [records.slice(0, -1), offsets.at(-1)!];
  // The first change of a MANIFEST names no log.
  if (earlier.length < 2) return live;
  const before = followChanges(earlier, cutAt);
  const hasLog = names.some((name) => toLogNumber(name) === before.firstLog);
  return hasLog && hasTables(names, before) ? before : live;
};

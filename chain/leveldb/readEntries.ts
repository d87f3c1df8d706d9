// Reads entries of a closed LevelDB database without changing a file: LevelDB itself writes new files whenever it opens
// a database, and deletes those that it can't read. Omits damaged entries.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createByteReader, DamagedBytes } from './byteReader.ts';
import { toLogNumber, toManifestName, toTableNumber } from './fileNames.ts';
import { readCompleteRecords } from './logFile.ts';
import { type FileKeyRange, type LiveFiles, readLiveFiles } from './manifestFile.ts';
import { type InternalEntry, PUT, readTableEntries } from './tableFile.ts';

/** The current value of a key. */
export interface StoredEntry<T> {
  readonly key: Buffer;
  readonly value: T;
}

const SEQUENCE_BYTES = 8;
const COUNT_BYTES = 4;

// A record of a log is a batch: its first sequence number, a count, then each operation.
function* readBatch(record: Buffer): Iterable<InternalEntry> {
  const reader = createByteReader(record, 0);
  let sequence = reader.take(SEQUENCE_BYTES).readBigUInt64LE();
  reader.take(COUNT_BYTES);
  for (; !reader.isAtEnd; sequence += 1n) {
    const isPut = reader.varint() === PUT;
    const key = reader.take(reader.varint());
    yield { key, sequence, value: isPut ? reader.take(reader.varint()) : undefined };
  }
}

function* readLogEntries(file: Buffer): Iterable<InternalEntry> {
  for (const record of readCompleteRecords(file).records) yield* readBatch(record);
}

const isDamage = (error: unknown): boolean =>
  error instanceof DamagedBytes || error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'EIO';

const orIfDamaged = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (isDamage(error) || (error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
};

/** The contents of a directory's MANIFEST; undefined when it is missing or damaged. */
export const readLevelManifest = (directory: string): Promise<LiveFiles | undefined> =>
  orIfDamaged(async () => {
    const current = toManifestName(await readFile(join(directory, 'CURRENT'), 'latin1'));
    if (current === undefined) return undefined;
    return readLiveFiles(await readFile(join(directory, current)), await readdir(directory));
  }, undefined);

const overlaps = (range: FileKeyRange | undefined, { smallest, largest }: FileKeyRange): boolean =>
  range !== undefined && Buffer.compare(range.largest, smallest) >= 0 && Buffer.compare(range.smallest, largest) <= 0;

// Without a MANIFEST every file may be part of the database.
const findSources = async (directory: string, range: FileKeyRange): Promise<string[]> => {
  const live = await readLevelManifest(directory);
  const names = await orIfDamaged(() => readdir(directory), []);
  return names.filter((name) => {
    const [log, table] = [toLogNumber(name), toTableNumber(name)];
    if (log !== undefined) return live === undefined || log >= live.firstLog;
    return table !== undefined && (live === undefined || overlaps(live.keyRanges.get(table), range));
  });
};

const isInRange = (key: Uint8Array, { smallest, largest }: FileKeyRange): boolean =>
  Buffer.compare(key, smallest) >= 0 && Buffer.compare(key, largest) <= 0;

/**
 * The entries of a range of keys, both ends included, sorted by key. `decode` returns the part of a value that is kept
 * in memory.
 */
export const readEntries = async <T>(
  directory: string,
  range: FileKeyRange,
  decode: (value: Buffer, key: Buffer) => T,
): Promise<StoredEntry<T>[]> => {
  const newest = new Map<string, { sequence: bigint; value: T | undefined }>();
  const note = ({ key, sequence, value }: InternalEntry): void => {
    const name = key.toString('latin1');
    if (!isInRange(key, range) || (newest.get(name)?.sequence ?? -1n) > sequence) return;
    newest.set(name, { sequence, value: value && decode(value, key) });
  };
  for (const name of await findSources(directory, range)) {
    const read = async (): Promise<void> => {
      const file = await readFile(join(directory, name));
      for (const entry of name.endsWith('.log') ? readLogEntries(file) : readTableEntries(file, range)) note(entry);
    };
    await orIfDamaged(read, undefined);
  }
  return [...newest]
    .flatMap(([name, { value }]) => (value === undefined ? [] : [{ key: Buffer.from(name, 'latin1'), value }]))
    .sort((one, other) => Buffer.compare(one.key, other.key));
};

/** The value of one key; undefined when it is missing or damaged. */
export const readEntry = async (directory: string, key: Uint8Array): Promise<Buffer | undefined> => {
  const [entry] = await readEntries(directory, { smallest: key, largest: key }, (value) => Buffer.from(value));
  return entry?.value;
};

// The index on disk: one LevelDB database. Writes and the cursor that they bring the index to go in one atomic batch (L10);
// nothing is synced, because the chain can give everything again.
import { Level } from 'level';
import { createDamage, type Damage } from './damage.ts';
import { cursorKey, FIRST_CHECKED_LAYOUT, type KeyRange } from './keys.ts';
import { createReopening, type Reopening } from './reopening.ts';
import { decodeStored, encodeStored } from './rows/rowChecksum.ts';
import type { Cursor, Row, Write } from './rows/rows.ts';

// Single rows are read where they are asked for: LevelDB finds one in some 5 µs, a hop to another thread and back costs 40 µs
// and more. Ranges and many rows at once are read on LevelDB's threads.

/** Bytes of blocks that LevelDB keeps uncompressed in memory. */
const CACHE_BYTES = 64 * 2 ** 20;
/** Bytes of writes that LevelDB gathers in memory before it sorts them into a file. */
const WRITE_BUFFER_BYTES = 32 * 2 ** 20;

export type Entry = readonly [key: Buffer, row: Row];

/** Reads of one moment. `close` it. */
export interface Snapshot {
  read(key: Buffer): Row | undefined;
  /** Rows in the order of their keys' order in `keys`. */
  readMany(keys: readonly Buffer[]): Promise<(Row | undefined)[]>;
  /** The same rows, each of which is verified and decoded only when it is asked for: for long ones. */
  readLong(keys: readonly Buffer[]): Promise<(() => Row | undefined)[]>;
  /** Entries of a key range from its beginning, `limit` at most. */
  readFirst(range: KeyRange, limit: number): Promise<Entry[]>;
  /** Entries of a key range from its end backwards, `limit` at most. */
  readLast(range: KeyRange, limit: number): Promise<Entry[]>;
  close(): Promise<void>;
}

export interface IndexStore extends Pick<Reopening, 'failure' | 'opening' | 'recover'> {
  /** Checksums are verified at every read; what is wrong is thrown as INDEX_DAMAGED and noted here. */
  readonly damage: Damage;
  /** Also that of an index of an older layout. */
  readCursor(): Cursor | undefined;
  read(key: Buffer): Row | undefined;
  /** Applies the writes, in order, and moves the cursor: all of it or nothing. */
  apply(writes: readonly Write[], cursor: Cursor): Promise<void>;
  /** Removes everything. Not atomic, so the cursor goes first: without a cursor the index counts as empty. */
  wipe(): Promise<void>;
  snapshot(): Snapshot;
  /** Every entry in key order, for comparing one index with another. */
  entries(): AsyncIterable<[Buffer, Row]>;
  close(): Promise<void>;
}

type Database = Level<Buffer, Buffer>;

// The static method is missing in the types of `level`.
const destroy = (directory: string): Promise<void> =>
  (Level as unknown as { destroy(location: string): Promise<void> }).destroy(directory);

// Other errors of input and output, such as too many open files, say nothing of the index.
const DISK_ERROR = /input\/output error|no such file/i;
const isDamage = (error: unknown): boolean => {
  const { code, message } = error as Error & { code?: string };
  return code === 'LEVEL_CORRUPTION' || (code === 'LEVEL_IO_ERROR' && DISK_ERROR.test(message));
};

// What can't be opened holds nothing that could be read, and the chain has everything.
const openAnyway = async (db: Database, directory: string, damage: Damage): Promise<void> => {
  try {
    await db.open();
  } catch (error) {
    const { cause } = error as Error;
    if (!isDamage(cause)) throw error;
    damage.report('LevelDB cannot open it', error);
    await destroy(directory);
    await db.open();
  }
};

const createRows = (damage: Damage) => {
  const refuse = (error: unknown): never => {
    throw isDamage(error) ? damage.report('LevelDB cannot read it', error) : error;
  };
  const decode = (key: Buffer, stored: Buffer): Row => {
    const row = decodeStored(key, stored);
    if (row === undefined) throw damage.report(`the row ${key.toString('hex')} has a wrong checksum`);
    return row;
  };
  const decodeIfThere = (key: Buffer, stored: Buffer | undefined): Row | undefined => stored && decode(key, stored);
  return {
    decode,
    one: (key: Buffer, read: () => Buffer | undefined): Row | undefined => {
      try {
        return decodeIfThere(key, read());
      } catch (error) {
        return refuse(error);
      }
    },
    many: async (keys: readonly Buffer[], read: Promise<(Buffer | undefined)[]>): Promise<(Row | undefined)[]> => {
      const stored = await read.catch(refuse);
      return keys.map((key, at) => decodeIfThere(key, stored[at]));
    },
    long: async (
      keys: readonly Buffer[],
      read: Promise<(Buffer | undefined)[]>,
    ): Promise<(() => Row | undefined)[]> => {
      const stored = await read.catch(refuse);
      return keys.map((key, at) => () => decodeIfThere(key, stored[at]));
    },
    range: async (read: Promise<[Buffer, Buffer][]>): Promise<Entry[]> =>
      (await read.catch(refuse)).map(([key, stored]) => [key, decode(key, stored)]),
  };
};

// Layouts before the checksums had a cursor of JSON.
const decodeOldCursor = (stored: Buffer): Cursor | undefined => {
  try {
    const cursor = JSON.parse(stored.toString()) as Partial<Cursor> | null;
    return Number(cursor?.layoutVersion) < FIRST_CHECKED_LAYOUT ? (cursor as Cursor) : undefined;
  } catch {
    return undefined;
  }
};

/** The cursor of stored bytes; undefined when they are damaged. */
export const decodeCursor = (stored: Buffer): Cursor | undefined =>
  (decodeStored(cursorKey(), stored) as Cursor | undefined) ?? decodeOldCursor(stored);

const readCursor = (db: Database, damage: Damage): Cursor | undefined => {
  const stored = db.getSync(cursorKey());
  if (stored === undefined) return undefined;
  const cursor = decodeCursor(stored);
  if (cursor === undefined) damage.report('its cursor has a wrong checksum');
  return cursor;
};

const openDatabase = async (directory: string, damage: Damage): Promise<Database> => {
  const db: Database = new Level<Buffer, Buffer>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    cacheSize: CACHE_BYTES,
    writeBufferSize: WRITE_BUFFER_BYTES,
  });
  await openAnyway(db, directory, damage);
  return db;
};

/**
 * Opens the index in a directory. `assertFreeSpace` rejects while the directory's disk has no room for opening it again. Damage that is found is noted;
 * `recover` removes such an index.
 */
export const createIndexStore = async (
  directory: string,
  assertFreeSpace: (directory: string) => Promise<void> = async () => undefined,
): Promise<IndexStore> => {
  const damage = createDamage();
  const db = await openDatabase(directory, damage);
  const reopening = createReopening(db, {
    assertFreeSpace: () => assertFreeSpace(directory),
    damage,
    remove: () => destroy(directory),
  });
  const { failure, write, enter, opening, recover } = reopening;
  const rows = createRows(damage);
  return {
    failure,
    opening,
    recover,
    damage,
    readCursor: () => readCursor(db, damage),
    read: (key) => rows.one(key, () => db.getSync(key)),
    apply: (writes, cursor) => {
      const batch = db.batch();
      for (const { key, value } of writes)
        value === undefined ? batch.del(key) : batch.put(key, encodeStored(key, value));
      return write(() => batch.put(cursorKey(), encodeStored(cursorKey(), cursor)).write());
    },
    wipe: () =>
      write(async () => {
        await db.del(cursorKey(), { sync: true });
        await db.clear();
      }),
    snapshot: () => {
      const snapshot = db.snapshot();
      const leave = enter();
      return {
        read: (key) => rows.one(key, () => db.getSync(key, { snapshot })),
        readMany: (keys) =>
          keys.length === 0 ? Promise.resolve([]) : rows.many(keys, db.getMany([...keys], { snapshot })),
        readLong: (keys) =>
          rows.long(keys, keys.length === 0 ? Promise.resolve([]) : db.getMany([...keys], { snapshot })),
        readFirst: (range, limit) => rows.range(db.iterator({ ...range, limit, snapshot }).all()),
        readLast: (range, limit) => rows.range(db.iterator({ ...range, reverse: true, limit, snapshot }).all()),
        close: () => snapshot.close().finally(leave),
      };
    },
    entries: async function* () {
      for await (const [key, stored] of db.iterator()) yield [key, rows.decode(key, stored)];
    },
    close: () => db.close(),
  };
};

// The index on disk: one LevelDB database. Writes and the cursor that they lead to are applied in one atomic batch.
// Rows are not synced, because everything can be read from the chain again. After a power failure LevelDB could read a
// log that ends early and the log after it: rows between the two would be missing although the cursor is after them. So
// the files are checked for such a gap before they are opened (chain/leveldb/logSequence.ts), and nothing is written
// after a failed write, which would leave a gap, too. The names of the files are synced: without the name of the first
// log, LevelDB would read only the next one.
import { Level } from 'level';
import { INDEX_CACHE_BYTES } from './cacheBytes.ts';
import { createDamage, type Damage } from './damage.ts';
import { forEachInTurns } from './inTurns.ts';
import type { StoredRow } from './keptRows.ts';
import { cursorKey, FIRST_CHECKED_LAYOUT } from './keys.ts';
import { createRecovery } from './recovery.ts';
import { createReopening, type Reopening } from './reopening.ts';
import { decodeStored, encodeStored } from './rows/rowChecksum.ts';
import type { Cursor, Row, Write } from './rows/rows.ts';
import { createShownRows, type ShownRows } from './shownRows.ts';
import {
  createRows,
  createSnapshot,
  type IndexDatabase,
  isDamage,
  type Snapshot,
  type StoredRows,
} from './snapshots.ts';

// Single rows are read synchronously on the calling thread: from memory (shownRows.ts), or LevelDB finds one in about
// 5 µs; a hop to another thread and back costs 40 µs or more. Ranges and sets of rows are read on LevelDB's threads.

/** Bytes of writes that LevelDB collects in memory before it writes them to a sorted file. */
const WRITE_BUFFER_BYTES = 32 * 2 ** 20;

/** What an index needs of its disk besides LevelDB. */
export interface IndexDisk {
  /** Rejects while the directory's disk has too little free space to reopen the index. */
  assertFreeSpace(directory: string): Promise<void>;
  /** Resolves when the names of a directory's files are on the disk. LevelDB doesn't sync the last one, CURRENT. */
  syncDirectory(directory: string): Promise<void>;
}

/** The other handles of the database, in threads of this process. */
export interface OtherHandles {
  /** Called when the database is open, and rows were deleted, if any. */
  open(): void;
  /** Resolves when none is open. A database with open handles can't be closed: LevelDB would use freed memory. */
  close(): Promise<void>;
}

/** How an index is opened. */
export interface IndexOptions {
  /** Bytes of uncompressed blocks that LevelDB caches in memory. Default: 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Whether other threads of this process may open it, too. Default: false. */
  readonly isShared?: boolean | undefined;
}

/** The rows of the index. Those that LevelDB is still writing are shown by single reads, and awaited by all others. */
export interface IndexStore
  extends Pick<Reopening, 'failure' | 'opening' | 'recover'>,
    Pick<ShownRows, 'read' | 'version' | 'apply' | 'watch' | 'written'> {
  /**
   * Damage that was found. Every read verifies the checksum of its rows; a wrong one is thrown as INDEX_DAMAGED and
   * recorded here.
   */
  readonly damage: Damage;
  /** The cursor on the disk, even of an index with an older layout; undefined if the index is empty. */
  readCursor(): Cursor | undefined;
  /**
   * Deletes everything. This is not atomic, so the cursor is deleted first: an index without a cursor counts as empty.
   */
  wipe(): Promise<void>;
  /** The rows that are shown now. Rejects with STORAGE_FULL while the disk refuses to write some of them. */
  snapshot(): Promise<Snapshot>;
  /** Opens other handles, which are then closed whenever this one is, and while rows are deleted. */
  share(handles: OtherHandles): void;
  /** All entries in key order, to compare indexes. */
  entries(): AsyncIterable<[Buffer, Row]>;
  close(): Promise<void>;
}

// The types of `level` lack this static method.
const destroy = (directory: string): Promise<void> =>
  (Level as unknown as { destroy(location: string): Promise<void> }).destroy(directory);

// An index that can't be opened can't be read either, and the chain contains everything that it contained.
const openOrRecreate = async (db: IndexDatabase, directory: string, damage: Damage): Promise<void> => {
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

// Layouts before version 9 have no checksums; their cursor is plain JSON.
const decodeOldCursor = (stored: Buffer): Cursor | undefined => {
  try {
    const cursor = JSON.parse(stored.toString()) as Partial<Cursor> | null;
    return Number(cursor?.layoutVersion) < FIRST_CHECKED_LAYOUT ? (cursor as Cursor) : undefined;
  } catch {
    return undefined;
  }
};

/** Decodes a stored cursor; undefined if its bytes are damaged. */
export const decodeCursor = (stored: Buffer): Cursor | undefined =>
  (decodeStored(cursorKey(), stored) as Cursor | undefined) ?? decodeOldCursor(stored);

const readCursor = (db: IndexDatabase, damage: Damage): Cursor | undefined => {
  const stored = db.getSync(cursorKey());
  if (stored === undefined) return undefined;
  const cursor = decodeCursor(stored);
  if (cursor === undefined) damage.report('its cursor has a wrong checksum');
  return cursor;
};

const openDatabase = async (
  directory: string,
  damage: Damage,
  { cacheBytes = INDEX_CACHE_BYTES, isShared = false }: IndexOptions,
): Promise<IndexDatabase> => {
  const db: IndexDatabase = new Level<Buffer, Buffer>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    cacheSize: cacheBytes,
    writeBufferSize: WRITE_BUFFER_BYTES,
    multithreading: isShared,
  });
  await openOrRecreate(db, directory, damage);
  return db;
};

// While rows are deleted, snapshots belong to a generation of their own.
const createGenerations = () => {
  let current = {};
  const next = (): void => {
    current = {};
  };
  return {
    current: (): object => current,
    renew: <T>(deletion: Promise<T>): Promise<T> => {
      next();
      return deletion.finally(next);
    },
  };
};

const createReadStored =
  (db: IndexDatabase, rows: StoredRows) =>
  (key: Buffer): StoredRow => {
    let bytes = 0;
    const row = rows.one(key, () => {
      const stored = db.getSync(key);
      bytes = stored?.length ?? 0;
      return stored;
    });
    return { row, bytes };
  };

const NO_OTHERS: OtherHandles = { open: () => undefined, close: async () => undefined };

// All handles of the database. Others are open only while this one is: they use its cache.
const createHandles = (db: Pick<IndexDatabase, 'open' | 'close'>) => {
  let others = NO_OTHERS;
  return {
    open: async () => {
      await db.open();
      others.open();
    },
    close: async () => {
      await others.close();
      await db.close();
    },
    // After a failed deletion they stay closed until the database is reopened.
    withoutOthers: async (deletion: () => Promise<void>): Promise<void> => {
      await others.close();
      await deletion();
      others.open();
    },
    share: (handles: OtherHandles) => {
      others = handles;
      others.open();
    },
  };
};

/** Writes that are encoded in one turn of the event loop: some 5 ms of work. */
const WRITES_TOGETHER = 2_048;

/** Adds a write to a batch. Returns the number of bytes that are stored. */
const addTo = (batch: ReturnType<IndexDatabase['batch']>, { key, value }: Write): number => {
  if (value === undefined) {
    batch.del(key);
    return 0;
  }
  const stored = encodeStored(key, value);
  batch.put(key, stored);
  return stored.length;
};

// Rows and cursor in one batch. Resolves with the stored bytes of each write.
const writeBatch = async (
  db: IndexDatabase,
  { write }: Pick<Reopening, 'write'>,
  writes: readonly Write[],
  cursor: Cursor,
): Promise<number[]> => {
  let bytes: number[] = [];
  await write(async () => {
    const batch = db.batch();
    const stored: number[] = [];
    await forEachInTurns(writes, WRITES_TOGETHER, (each) => stored.push(addTo(batch, each)));
    bytes = stored;
    addTo(batch, { key: cursorKey(), value: cursor });
    await batch.write();
  });
  return bytes;
};

const deleteRows = async (db: IndexDatabase): Promise<void> => {
  await db.del(cursorKey(), { sync: true });
  await db.clear();
};

const UNCHECKED: IndexDisk = { assertFreeSpace: async () => undefined, syncDirectory: async () => undefined };

/** Opens the index in a directory. Damage that is found is recorded, and `recover` deletes a damaged index. */
export const createIndexStore = async (
  directory: string,
  given: Partial<IndexDisk> = {},
  options: IndexOptions = {},
): Promise<IndexStore> => {
  const disk = { ...UNCHECKED, ...given };
  const damage = createDamage();
  const syncNames = (): Promise<void> => disk.syncDirectory(directory);
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await openDatabase(directory, damage, options), (open) => open.close());
  await syncNames();
  const handles = createHandles(db);
  const reopening = createReopening(handles, {
    assertFreeSpace: () => disk.assertFreeSpace(directory),
    syncNames,
    damage,
    remove: () => destroy(directory),
  });
  const { failure, write, enter, opening } = reopening;
  const generations = createGenerations();
  const rows = createRows(damage);
  const shown = createShownRows({
    readStored: createReadStored(db, rows),
    readCursor: () => readCursor(db, damage),
    write: (writes, cursor) => writeBatch(db, reopening, writes, cursor),
    failure,
    damage,
  });
  const idle = (): Promise<void> => shown.written().catch(() => undefined);
  const { recover, written } = createRecovery(reopening, shown, generations.renew);
  opened.move();
  return {
    ...shown,
    failure,
    opening,
    recover,
    written,
    damage,
    readCursor: () => readCursor(db, damage),
    wipe: async () => {
      await idle();
      // Rows that are read during the deletion are forgotten, too.
      const deletion = handles.withoutOthers(() => write(() => deleteRows(db)));
      await generations.renew(deletion).finally(shown.clear);
    },
    share: handles.share,
    snapshot: async () => {
      await written();
      for (let reopened = opening(); reopened !== undefined; reopened = opening()) await reopened;
      return createSnapshot(db, rows, { generation: generations.current(), enter });
    },
    entries: async function* () {
      await written();
      for await (const [key, stored] of db.iterator()) yield [key, rows.decode(key, stored)];
    },
    close: () => idle().then(handles.close),
  };
};

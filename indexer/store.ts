// The index on disk: one LevelDB database. Writes and the cursor that they bring the index to go in one atomic batch (L10);
// nothing is synced, because the chain can give everything again.
import { Level } from 'level';
import { cursorKey, type KeyRange } from './keys.ts';
import { createReopening, type Reopening } from './reopening.ts';
import { type Cursor, decodeRow, encodeRow, type Row, type Write } from './rows.ts';

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
  /** Entries of a key range from its beginning, `limit` at most. */
  readFirst(range: KeyRange, limit: number): Promise<Entry[]>;
  /** Entries of a key range from its end backwards, `limit` at most. */
  readLast(range: KeyRange, limit: number): Promise<Entry[]>;
  close(): Promise<void>;
}

export interface IndexStore extends Pick<Reopening, 'failure' | 'opening' | 'recover'> {
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

const ROW_ENCODING = { name: 'row', format: 'buffer' as const, encode: encodeRow, decode: decodeRow };

/** Opens the index in a directory. `assertRoom` rejects while the directory's disk has no room for opening it again. */
export const createIndexStore = async (
  directory: string,
  assertRoom: (directory: string) => Promise<void> = async () => undefined,
): Promise<IndexStore> => {
  const db = new Level<Buffer, Row>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: ROW_ENCODING as never,
    cacheSize: CACHE_BYTES,
    writeBufferSize: WRITE_BUFFER_BYTES,
  });
  await db.open();
  const { failure, write, enter, opening, recover } = createReopening(db, () => assertRoom(directory));
  return {
    failure,
    opening,
    recover,
    readCursor: () => db.getSync(cursorKey()) as Cursor | undefined,
    read: (key) => db.getSync(key),
    apply: (writes, cursor) => {
      const batch = db.batch();
      for (const { key, value } of writes) value === undefined ? batch.del(key) : batch.put(key, value);
      return write(() => batch.put(cursorKey(), cursor).write());
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
        read: (key) => db.getSync(key, { snapshot }),
        readMany: (keys) => (keys.length === 0 ? Promise.resolve([]) : db.getMany([...keys], { snapshot })),
        readFirst: (range, limit) => db.iterator({ ...range, limit, snapshot }).all(),
        readLast: (range, limit) => db.iterator({ ...range, reverse: true, limit, snapshot }).all(),
        close: () => snapshot.close().finally(leave),
      };
    },
    entries: () => db.iterator(),
    close: () => db.close(),
  };
};

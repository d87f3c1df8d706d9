// The index on disk: one LevelDB database. Writes and the cursor that they bring the index to go in one atomic batch (L10);
// nothing is synced, because the chain can give everything again.
import { Level } from 'level';
import { cursorKey } from './keys.ts';
import type { Cursor, Row, Write } from './rows.ts';

// Single rows are read where they are asked for: LevelDB finds one in some 5 µs, a hop to another thread and back costs 40 µs
// and more. Ranges, which may be long, are read on LevelDB's threads.

/** Reads of one moment. `close` it. */
export interface Snapshot {
  read(key: Buffer): Row | undefined;
  readMany(keys: readonly Buffer[]): (Row | undefined)[];
  /** Entries of a key range, from its end backwards, `limit` at most. */
  readLast(range: { gte: Buffer; lt?: Buffer; lte?: Buffer }, limit: number): Promise<[Buffer, Row][]>;
  close(): Promise<void>;
}

export interface IndexStore {
  readCursor(): Cursor | undefined;
  readMany(keys: readonly Buffer[]): (Row | undefined)[];
  /** Applies the writes, in order, and moves the cursor: all of it or nothing. */
  apply(writes: readonly Write[], cursor: Cursor): Promise<void>;
  /** Removes everything. Not atomic, so the cursor goes first: without a cursor the index counts as empty. */
  wipe(): Promise<void>;
  snapshot(): Snapshot;
  /** Every entry in key order, for comparing one index with another. */
  entries(): AsyncIterable<[Buffer, Row]>;
  close(): Promise<void>;
}

const toOperation = ({ key, value }: Write) =>
  value === undefined ? { type: 'del' as const, key } : { type: 'put' as const, key, value };

/** Opens the index in a directory. */
export const createIndexStore = async (directory: string): Promise<IndexStore> => {
  const db = new Level<Buffer, Row>(directory, { keyEncoding: 'buffer', valueEncoding: 'json' });
  await db.open();
  return {
    readCursor: () => db.getSync(cursorKey()) as Cursor | undefined,
    readMany: (keys) => keys.map((key) => db.getSync(key)),
    apply: (writes, cursor) => db.batch([...writes, { key: cursorKey(), value: cursor }].map(toOperation)),
    wipe: async () => {
      await db.del(cursorKey(), { sync: true });
      await db.clear();
    },
    snapshot: () => {
      const snapshot = db.snapshot();
      return {
        read: (key) => db.getSync(key, { snapshot }),
        readMany: (keys) => keys.map((key) => db.getSync(key, { snapshot })),
        readLast: (range, limit) => db.iterator({ ...range, reverse: true, limit, snapshot }).all(),
        close: () => snapshot.close(),
      };
    },
    entries: () => db.iterator(),
    close: () => db.close(),
  };
};

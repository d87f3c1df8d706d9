// The index on disk: one LevelDB database. Writes and the cursor that they bring the index to go in one atomic batch (L10);
// nothing is synced, because the chain can give everything again.
import { Level } from 'level';
import { cursorKey } from './keys.ts';
import type { Cursor, Row, Write } from './rows.ts';

/** Reads of one moment. `close` it. */
export interface Snapshot {
  read(key: Buffer): Promise<Row | undefined>;
  readMany(keys: readonly Buffer[]): Promise<(Row | undefined)[]>;
  /** Entries of a key range, from its end backwards, `limit` at most. */
  readLast(range: { gte: Buffer; lt?: Buffer; lte?: Buffer }, limit: number): Promise<[Buffer, Row][]>;
  close(): Promise<void>;
}

export interface IndexStore {
  readCursor(): Promise<Cursor | undefined>;
  readMany(keys: readonly Buffer[]): Promise<(Row | undefined)[]>;
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
    readCursor: async () => (await db.get(cursorKey())) as Cursor | undefined,
    readMany: (keys) => db.getMany([...keys]),
    apply: (writes, cursor) => db.batch([...writes, { key: cursorKey(), value: cursor }].map(toOperation)),
    wipe: async () => {
      await db.del(cursorKey(), { sync: true });
      await db.clear();
    },
    snapshot: () => {
      const snapshot = db.snapshot();
      return {
        read: (key) => db.get(key, { snapshot }),
        readMany: (keys) => db.getMany([...keys], { snapshot }),
        readLast: (range, limit) => db.iterator({ ...range, reverse: true, limit, snapshot }).all(),
        close: () => snapshot.close(),
      };
    },
    entries: () => db.iterator(),
    close: () => db.close(),
  };
};

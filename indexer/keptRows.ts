// Decoded rows in memory: those that were read last. A request and each batch of the projection read mostly the same
// rows (tenant, assets, counters, open pages of columns and lists), and LevelDB needs 5 µs or more for one, with its
// checksum and its decoding. Rows must never be changed in place, because all readers share them.
import { createBoundedMap } from './boundedMap.ts';
import { toKeyName } from './keys.ts';
import type { Row, Write } from './rows/rows.ts';

/** A row as it was read, and the number of its stored bytes; undefined and 0 if there is none. */
export interface StoredRow {
  readonly row: Row | undefined;
  readonly bytes: number;
}

/** The rows of one index that are in memory. */
export interface KeptRows {
  /** The row under a key: from memory, or read by `readStored` and then kept. */
  read(key: Buffer, readStored: (key: Buffer) => StoredRow): Row | undefined;
  /** Replaces those of the rows that are in memory, once they are stored. `bytes`: stored bytes of each write. */
  replace(writes: readonly Write[], bytes: readonly number[]): void;
  /** Forgets all rows. */
  clear(): void;
}

/** Stored bytes of the rows of one index, with their keys. Decoded, a row needs up to some five times its bytes. */
const BYTES_MAX = 8 * 2 ** 20;
/** Memory of a row besides its stored bytes, with its key. */
const ROW_BYTES = 200;

/** Creates an empty set of rows. */
export const createKeptRows = (): KeptRows => {
  let rows = createBoundedMap<StoredRow>(BYTES_MAX);
  const keep = (name: string, stored: StoredRow): void => rows.set(name, stored, stored.bytes + ROW_BYTES);
  return {
    read: (key, readStored) => {
      const name = toKeyName(key);
      const kept = rows.get(name);
      if (kept !== undefined) return kept.row;
      const stored = readStored(key);
      keep(name, stored);
      return stored.row;
    },
    // Most written rows are never read one by one, so a row is kept only from its first read on.
    replace: (writes, bytes) => {
      for (const [at, { key, value: row }] of writes.entries()) {
        const name = toKeyName(key);
        if (rows.get(name) !== undefined) keep(name, { row, bytes: bytes[at]! });
      }
    },
    clear: () => {
      rows = createBoundedMap(BYTES_MAX);
    },
  };
};

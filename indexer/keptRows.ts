// Decoded rows in memory: those that were read last. A request and each batch of the projection read mostly the same
// rows (tenant, assets, counters, open pages of columns and lists), and LevelDB needs 5 µs or more for one, with its
// checksum and its decoding. Rows must never be changed in place, because all readers share them.
import { createBoundedMap } from './boundedMap.ts';
import type { Row } from './rows/rows.ts';

/** A row as it was read, and the number of its stored bytes; undefined and 0 if there is none. */
export interface StoredRow {
  readonly row: Row | undefined;
  readonly bytes: number;
}

/** The rows of one index that are in memory, by the names of their keys. */
export interface KeptRows {
  /** The row under a key: from memory, or read by `readStored` and then kept. */
  read(name: string, key: Buffer, readStored: (key: Buffer) => StoredRow): Row | undefined;
  /**
   * Replaces a row, once it is stored, if it is in memory: most written rows are never read one by one, so a row is
   * kept only from its first read on.
   */
  replace(name: string, stored: StoredRow): void;
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
    read: (name, key, readStored) => {
      const kept = rows.get(name);
      if (kept !== undefined) return kept.row;
      const stored = readStored(key);
      keep(name, stored);
      return stored.row;
    },
    replace: (name, stored) => {
      if (rows.get(name) !== undefined) keep(name, stored);
    },
    clear: () => {
      rows = createBoundedMap(BYTES_MAX);
    },
  };
};

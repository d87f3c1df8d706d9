// Snapshots of the index's database: reads of the rows as they were at one moment, each verified by its checksum.
import type { Level } from 'level';
import type { Damage } from './damage.ts';
import type { KeyRange } from './keys.ts';
import { decodeStored } from './rows/rowChecksum.ts';
import type { Row } from './rows/rows.ts';

/** A key and its row. */
export type Entry = readonly [key: Buffer, row: Row];

/** Reads the index as it was at one moment. The caller must close it. */
export interface Snapshot {
  /** The same object for all snapshots between two deletions of rows: what is kept in memory belongs to one of them. */
  readonly generation: object;
  read(key: Buffer): Row | undefined;
  /** The rows of `keys`, in the same order. */
  readMany(keys: readonly Buffer[]): Promise<(Row | undefined)[]>;
  /** The same rows, each verified and decoded only when its function is called. For long rows. */
  readLong(keys: readonly Buffer[]): Promise<(() => Row | undefined)[]>;
  /** The first `limit` entries of a key range, or fewer. */
  readFirst(range: KeyRange, limit: number): Promise<Entry[]>;
  /** The last `limit` entries of a key range, or fewer, the last one first. */
  readLast(range: KeyRange, limit: number): Promise<Entry[]>;
  close(): Promise<void>;
}

/** The database of an index. */
export type IndexDatabase = Level<Buffer, Buffer>;

// Other I/O errors, such as too many open files, do not mean that the index is damaged.
const DISK_ERROR = /input\/output error|no such file/i;
/** Whether an error of LevelDB means that the index is damaged. */
export const isDamage = (error: unknown): boolean => {
  const { code, message } = error as Error & { code?: string };
  return code === 'LEVEL_CORRUPTION' || (code === 'LEVEL_IO_ERROR' && DISK_ERROR.test(message));
};

/** Verifies and decodes what LevelDB reads. Wrong rows, and what LevelDB can't read, are reported as damage. */
export const createRows = (damage: Pick<Damage, 'report'>) => {
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

/** Verifies and decodes rows. */
export type StoredRows = ReturnType<typeof createRows>;

/**
 * A snapshot of the database as it is now. `enter` registers its reader, and returns the function that ends the read.
 */
export const createSnapshot = (
  db: IndexDatabase,
  rows: StoredRows,
  { generation, enter }: Pick<Snapshot, 'generation'> & { enter(): () => void },
): Snapshot => {
  const snapshot = db.snapshot();
  const leave = enter();
  return {
    generation,
    read: (key) => rows.one(key, () => db.getSync(key, { snapshot })),
    readMany: (keys) =>
      keys.length === 0 ? Promise.resolve([]) : rows.many(keys, db.getMany([...keys], { snapshot })),
    readLong: (keys) => rows.long(keys, keys.length === 0 ? Promise.resolve([]) : db.getMany([...keys], { snapshot })),
    readFirst: (range, limit) => rows.range(db.iterator({ ...range, limit, snapshot }).all()),
    readLast: (range, limit) => rows.range(db.iterator({ ...range, reverse: true, limit, snapshot }).all()),
    close: () => snapshot.close().finally(leave),
  };
};

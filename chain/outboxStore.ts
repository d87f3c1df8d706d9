// The outbox's database: one entry under each sequence number.
import { Level } from 'level';
import { copyDatabase } from './copyDatabase.ts';
import { assertRoomToOpen } from './diskSpace.ts';
import { decodeEntry, encodeEntry } from './outboxCodec.ts';
import type { OutboxEntry } from './outboxEntries.ts';

export interface OutboxStore {
  /** All entries, oldest first. Rejects with OUTBOX_CORRUPT. */
  readAll(): Promise<OutboxEntry[]>;
  /** Resolves when the entries are on the disk. */
  write(entries: readonly OutboxEntry[]): Promise<void>;
  /** Not synced: an entry that comes back after a power loss is found in the index and removed again. */
  remove(entries: readonly OutboxEntry[]): Promise<void>;
  /**
   * Closes the database, opens it and makes it hold these entries and no others. Resolves, with the number of entries that the disk
   * had lost, when that is on the disk. Rejects while the disk does not take it.
   */
  reopen(readEntries: () => readonly OutboxEntry[]): Promise<number>;
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

type Database = Level<string, Uint8Array>;
type Operation = { type: 'put'; key: string; value: Uint8Array } | { type: 'del'; key: string };

const SYNCED = { sync: true };
const SEQUENCE_DIGITS = 16;
const toKey = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

const toPut = (entry: OutboxEntry) => ({ type: 'put', key: toKey(entry.sequence), value: encodeEntry(entry) }) as const;
const toDel = (key: string) => ({ type: 'del', key }) as const;

const readAll = async (db: Database): Promise<OutboxEntry[]> => {
  const entries: OutboxEntry[] = [];
  for await (const [key, stored] of db.iterator()) entries.push(decodeEntry(Number(key), stored));
  return entries;
};

// What differs: a write that was refused may be there all the same, and a removal that failed is not done.
const findRepairs = async (
  db: Database,
  readEntries: () => readonly OutboxEntry[],
): Promise<{ operations: Operation[]; lost: number }> => {
  const stored = new Map(await db.iterator().all());
  const puts = readEntries().map(toPut);
  const missing = puts.filter(({ key, value }) => Buffer.compare(stored.get(key) ?? new Uint8Array(0), value) !== 0);
  const kept = new Set(puts.map(({ key }) => key));
  const surplus = [...stored.keys()].filter((key) => !kept.has(key));
  return { operations: [...missing, ...surplus.map(toDel)], lost: missing.length };
};

/** Opens the database of a directory. */
export const openOutboxStore = async (directory: string): Promise<OutboxStore> => {
  const db: Database = new Level(directory, { valueEncoding: 'view' });
  await db.open();
  return {
    readAll: () => readAll(db),
    write: (entries) => db.batch(entries.map(toPut), SYNCED),
    remove: (entries) => db.batch(entries.map(({ sequence }) => toDel(toKey(sequence)))),
    reopen: async (readEntries) => {
      await assertRoomToOpen(directory);
      await db.close();
      await db.open();
      const { operations, lost } = await findRepairs(db, readEntries);
      await db.batch(operations, SYNCED);
      return lost;
    },
    copyTo: async (target) => {
      await copyDatabase(db, target);
    },
    close: () => db.close(),
  };
};

// The records that are accepted but not yet on the chain for good. An entry is on disk, synced, before anybody is told of it,
// and leaves only when the index shows its record. Those that the chain refused stay, as FAILED, with the reason.
import { Level } from 'level';
import { LedgerError } from '../ledger/errors.ts';
import { type LedgerRecord, toStreamIdentityOf } from '../ledger/record.ts';
import { copyDatabase } from './copyDatabase.ts';
import { decodeEntry, encodeEntry } from './outboxCodec.ts';
import { createOutboxEntries, type OutboxEntry } from './outboxEntries.ts';

export interface Outbox {
  /** Makes a record and its encoded payload durable. Rejects with OUTBOX_FULL when the bound is reached. */
  accept(tenantIdentity: string, record: LedgerRecord, payload: Uint8Array): Promise<OutboxEntry>;
  /** All entries, pending and failed, oldest first. */
  readEntries(): readonly OutboxEntry[];
  /** Entries of one stream, oldest first. */
  readStream(tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[];
  /** How many records wait for the chain, without those that are being accepted. */
  pendingCount(): number;
  /** How many records the chain refused. */
  failedCount(): number;
  /** Why nothing is accepted now; undefined when it is. */
  findTrouble(): string | undefined;
  /** Takes out entries whose records are on the chain. */
  remove(entries: readonly OutboxEntry[]): Promise<void>;
  /** Marks an entry that the chain refuses for good. */
  fail(entry: OutboxEntry, reason: string): Promise<void>;
  /** Copies the outbox of this moment into a new one in another directory. */
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

type Database = Level<string, Uint8Array>;

interface Admission {
  readonly entry: OutboxEntry;
  readonly resolve: (entry: OutboxEntry) => void;
  readonly reject: (error: unknown) => void;
}

const SEQUENCE_DIGITS = 16;
const toDatabaseKey = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

const loadEntries = async (db: Database): Promise<OutboxEntry[]> => {
  const entries: OutboxEntry[] = [];
  try {
    for await (const [key, stored] of db.iterator()) entries.push(decodeEntry(Number(key), stored));
  } catch (error) {
    await db.close();
    throw error;
  }
  return entries;
};

// Group commit: whatever came in while one batch was being synced makes up the next.
const createAdmissions = (store: (group: readonly OutboxEntry[]) => Promise<void>) => {
  let admissions: Admission[] = [];
  let storing = 0;
  let flushing: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    while (admissions.length > 0) {
      const group = admissions;
      admissions = [];
      storing = group.length;
      try {
        await store(group.map(({ entry }) => entry));
        for (const { entry, resolve } of group) resolve(entry);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      storing = 0;
    }
    flushing = undefined;
  };
  return {
    admit: (entry: OutboxEntry): Promise<OutboxEntry> =>
      new Promise((resolve, reject) => {
        admissions.push({ entry, resolve, reject });
        flushing ??= Promise.resolve().then(flush);
      }),
    waiting: (): number => admissions.length + storing,
    idle: async (): Promise<void> => flushing,
  };
};

const BROKEN = 'the outbox could not be written; see that the disk has space, and restart the server';

// LevelDB says it in words alone, of the C library.
const DISK_FULL = /no space left|disk quota exceeded/i;

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (DISK_FULL.test(error.message) || isDiskFull(error.cause));

/**
 * Opens the outbox in a directory. `entriesMax` bounds how many records may wait for the chain.
 * Rejects with OUTBOX_CORRUPT, naming the entry, when one cannot be read as it was written.
 */
export const createOutbox = async (options: { directory: string; entriesMax: number }): Promise<Outbox> => {
  const db: Database = new Level(options.directory, { valueEncoding: 'view' });
  await db.open();
  const entries = createOutboxEntries();
  const loaded = await loadEntries(db);
  for (const entry of loaded) entries.put(entry);
  let nextSequence = (loaded.at(-1)?.sequence ?? 0) + 1;

  // A write that failed may leave half a record in LevelDB's log, and what follows it there is not found at the next start.
  // So nothing more is written, or acknowledged, until then.
  let broken: LedgerError | undefined;
  const breakWith = (cause: unknown): never => {
    broken ??= new LedgerError(isDiskFull(cause) ? 'STORAGE_FULL' : 'CHAIN_UNAVAILABLE', { message: BROKEN, cause });
    throw broken;
  };
  const write = async (changed: readonly OutboxEntry[]): Promise<void> => {
    if (broken !== undefined) throw broken;
    const operations = changed.map((entry) => ({
      type: 'put' as const,
      key: toDatabaseKey(entry.sequence),
      value: encodeEntry(entry),
    }));
    await db.batch(operations, { sync: true }).catch(breakWith);
  };

  const admissions = createAdmissions(async (group) => {
    await write(group);
    for (const entry of group) entries.put(entry);
  });

  const isFull = (): boolean => entries.pendingCount() + admissions.waiting() >= options.entriesMax;

  return {
    accept: (tenantIdentity, record, payload) => {
      if (broken !== undefined) return Promise.reject(broken);
      if (isFull()) return Promise.reject(new LedgerError('OUTBOX_FULL'));
      const streamIdentity = toStreamIdentityOf(record);
      const given = { tenantIdentity, streamIdentity, record, payload };
      return admissions.admit({ sequence: nextSequence++, ...given, status: 'PENDING', reason: '' });
    },
    pendingCount: entries.pendingCount,
    failedCount: entries.failedCount,
    findTrouble: () => {
      if (broken !== undefined) return broken.message;
      return isFull() ? `${options.entriesMax} records wait for the chain` : undefined;
    },
    readEntries: () => entries.all(),
    readStream: (tenantIdentity, streamIdentity) => entries.stream(tenantIdentity, streamIdentity),
    // Not synced: an entry that comes back after a power loss is found in the index and removed again.
    remove: async (settled) => {
      const operations = settled.map((entry) => ({ type: 'del' as const, key: toDatabaseKey(entry.sequence) }));
      if (broken === undefined) await db.batch(operations).catch(breakWith);
      for (const entry of settled) entries.delete(entry);
    },
    fail: async (entry, reason) => {
      const failed: OutboxEntry = { ...entry, status: 'FAILED', reason };
      await write([failed]);
      entries.put(failed);
    },
    copyTo: async (directory) => {
      await copyDatabase(db, directory);
    },
    close: async () => {
      await admissions.idle();
      await db.close();
    },
  };
};

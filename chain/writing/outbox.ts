// The records that are accepted but not yet on the chain for good. An entry is on disk, synced, before anybody is told of it,
// and leaves only when the index shows its record. Those that the chain refused stay, as FAILED, with the reason.
import { LedgerError } from '../../ledger/errors.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createWriteRecovery, type WriteRecovery, type WriteRecoveryOptions } from '../leveldb/writeRecovery.ts';
import { createOutboxEntries, type OutboxEntry } from './outboxEntries.ts';
import { type OutboxStore, openOutboxStore } from './outboxStore.ts';

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
  /** The newest time, in milliseconds since 1970, at which any record was ever accepted; undefined when none was. */
  newestAcceptedMs(): number | undefined;
  /** Why nothing is accepted now; undefined when it is. */
  findHealthIssue(): string | undefined;
  /** Removes entries whose records are on the chain, in block `blockNumber` at the latest. */
  remove(entries: readonly OutboxEntry[], blockNumber: number): Promise<void>;
  /** Marks an entry that the chain refuses for good. */
  fail(entry: OutboxEntry, reason: string): Promise<void>;
  /** Copies the outbox of this moment into a new one in another directory. */
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

interface Admission {
  readonly entry: OutboxEntry;
  readonly resolve: (entry: OutboxEntry) => void;
  readonly reject: (error: unknown) => void;
}

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

export interface OutboxOptions {
  readonly directory: string;
  /** How many records may wait for the chain. */
  readonly entriesMax: number;
  /** Receives what the operator has to know of a disk that does not take writes, and when it does again. */
  readonly onProblem?: WriteRecoveryOptions['onProblem'];
  /** Milliseconds between two attempts to write again after a write that failed. */
  readonly recoveryPeriodMs?: number;
}

const openEntries = async (store: OutboxStore): Promise<OutboxEntry[]> => {
  try {
    return await store.readAll();
  } catch (error) {
    await store.close();
    throw error;
  }
};

// A failed write was refused, so what the disk has of it goes; a removal that failed is done; and every entry that was acknowledged is
// there, since memory has it.
const createOutboxRecovery = (
  { onProblem = () => undefined, recoveryPeriodMs }: OutboxOptions,
  store: OutboxStore,
  readEntries: () => readonly OutboxEntry[],
): WriteRecovery => {
  const recover = async (): Promise<void> => {
    const lost = await store.reopen(readEntries);
    if (lost > 0) onProblem(`${lost} entries of the outbox had to be written again`);
  };
  return createWriteRecovery({ what: 'the outbox', recover, onProblem, periodMs: recoveryPeriodMs });
};

/** Opens the outbox in a directory. Rejects with OUTBOX_CORRUPT, naming the entry, when one cannot be read as it was written. */
export const createOutbox = async (options: OutboxOptions): Promise<Outbox> => {
  const store = await openOutboxStore(options.directory);
  const loaded = await openEntries(store);
  const entries = createOutboxEntries();
  for (const entry of loaded) entries.put(entry);
  let nextSequence = (loaded.at(-1)?.sequence ?? 0) + 1;

  const recovery = createOutboxRecovery(options, store, entries.all);
  const assertWorking = (): void => {
    const failure = recovery.failure();
    if (failure !== undefined) throw failure;
  };
  const write = async (changed: readonly OutboxEntry[]): Promise<void> => {
    assertWorking();
    await store.write(changed).catch((cause: unknown) => {
      throw recovery.begin(cause);
    });
    for (const entry of changed) entries.put(entry);
  };

  const admissions = createAdmissions(write);

  const isFull = (): boolean => entries.pendingCount() + admissions.waiting() >= options.entriesMax;

  return {
    accept: async (tenantIdentity, record, payload) => {
      assertWorking();
      if (isFull()) throw new LedgerError('OUTBOX_FULL');
      const streamIdentity = toStreamIdentityOf(record);
      const given = { tenantIdentity, streamIdentity, record, payload };
      return admissions.admit({ sequence: nextSequence++, ...given, status: 'PENDING', reason: '' });
    },
    pendingCount: entries.pendingCount,
    failedCount: entries.failedCount,
    newestAcceptedMs: store.newestAcceptedMs,
    findHealthIssue: () => {
      const failure = recovery.failure();
      if (failure !== undefined) return failure.message;
      return isFull() ? `${options.entriesMax} records wait for the chain` : undefined;
    },
    readEntries: () => entries.all(),
    readStream: (tenantIdentity, streamIdentity) => entries.stream(tenantIdentity, streamIdentity),
    remove: async (committed, blockNumber) => {
      for (const entry of committed) entries.delete(entry);
      if (recovery.failure() !== undefined) return;
      await store.remove(committed, blockNumber).catch(recovery.begin);
    },
    fail: (entry, reason) => write([{ ...entry, status: 'FAILED', reason }]),
    copyTo: async (directory) => {
      assertWorking();
      await store.copyTo(directory);
    },
    close: async () => {
      await recovery.stop();
      await admissions.idle();
      await store.close();
    },
  };
};

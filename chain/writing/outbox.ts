// The records that are accepted and not yet committed. An entry is on the disk, synced, before its acceptance is
// acknowledged, and is removed only when the index contains its record. Entries that the chain refused stay, as FAILED,
// with the reason.
import { LedgerError } from '../../ledger/errors.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createWriteRecovery, type WriteRecovery, type WriteRecoveryOptions } from '../leveldb/writeRecovery.ts';
import type { AccountNonce } from '../port.ts';
import { createOutboxEntries, type OutboxEntry } from './outboxEntries.ts';
import { type OutboxStore, openOutboxStore } from './outboxStore.ts';

/** Accepted records, durable until they are committed. */
export interface Outbox {
  /** Makes a record and its encoded payload durable. Rejects with OUTBOX_FULL when the limit is reached. */
  accept(tenantIdentity: string, record: LedgerRecord, payload: Uint8Array): Promise<OutboxEntry>;
  /** All entries, pending and failed, oldest first. */
  readEntries(): readonly OutboxEntry[];
  /** Entries of one stream, oldest first. */
  readStream(tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[];
  /** Number of records that wait for the chain, without those that are being accepted. */
  pendingCount(): number;
  /** Number of records that the chain refused. */
  failedCount(): number;
  /** The highest nonce of a transaction that may contain entries; undefined when none was noted. */
  highestNonce(): AccountNonce | undefined;
  /** Notes, durably, a nonce with which entries are about to be sent. One of another account replaces the highest. */
  noteNonce(account: AccountNonce): Promise<void>;
  /** The newest time at which a record was accepted, in milliseconds since 1970; undefined when none was. */
  newestAcceptedMs(): number | undefined;
  /** The reason why no record can be accepted now; undefined when records can be. */
  findHealthIssue(): string | undefined;
  /** Removes entries whose records are on the chain, in block `blockNumber` at the latest. */
  remove(entries: readonly OutboxEntry[], blockNumber: number): Promise<void>;
  /** Marks an entry whose record the chain refuses. */
  fail(entry: OutboxEntry, reason: string): Promise<void>;
  /** Copies the outbox as it is now into a new one in another directory. */
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

interface Admission {
  readonly entry: OutboxEntry;
  readonly resolve: (entry: OutboxEntry) => void;
  readonly reject: (error: unknown) => void;
}

// Group commit: entries that arrive while one group is being synced form the next.
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

/** Options of an outbox. */
export interface OutboxOptions {
  readonly directory: string;
  /** Largest number of records that may wait for the chain. */
  readonly entriesMax: number;
  /** Called when the disk refuses writes, and when it accepts them again. */
  readonly onProblem?: WriteRecoveryOptions['onProblem'];
  /** Milliseconds between two attempts to write again after a failed write. */
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

// A failed write was refused, so its entries are deleted from the disk; a failed removal is repeated; and every
// acknowledged entry is written if it is missing, since memory has it.
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

/**
 * Opens the outbox in a directory. Rejects with OUTBOX_CORRUPT, naming the entry, when one cannot be read as it was
 * written.
 */
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
  // While the disk refuses writes, transactions with nonces that it has are still sent.
  const noteNonce = async (account: AccountNonce): Promise<void> => {
    if (store.isNoted(account)) return;
    assertWorking();
    await store.noteNonce(account).catch((cause: unknown) => {
      throw recovery.begin(cause);
    });
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
    highestNonce: store.highestNonce,
    noteNonce,
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

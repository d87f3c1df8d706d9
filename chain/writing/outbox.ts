// The records that are accepted and not yet committed. An entry is shown and acknowledged only once it is on the disk,
// synced, and is removed only when the index contains its record. Entries that the chain refused stay, as FAILED, with
// the reason.
import { LedgerError } from '../../ledger/errors.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createWriteRecovery, type WriteRecovery, type WriteRecoveryOptions } from '../leveldb/writeRecovery.ts';
import type { AccountNonce } from '../port.ts';
import { createAdmittedEntries } from './admittedEntries.ts';
import { createOutboxEntries, type OutboxEntry } from './outboxEntries.ts';
import { type Amount, addAmounts, hasRefusedRoom, hasRoom, isFailedFull, toFree } from './outboxShares.ts';
import { type OutboxStore, openOutboxStore } from './outboxStore.ts';

/** Why the chain refuses a record. */
export type Failure = Required<Pick<OutboxEntry, 'reason' | 'failureReason'>>;

/** Accepted records until they are committed. */
export interface Outbox {
  /**
   * Admits a record and its encoded payload: it counts towards the limit, and no read returns it until it is stored.
   * @throws LedgerError OUTBOX_FULL when its limit, the share of the tenant, or the bound of refused records is reached
   * (for a tenant that has some), STORAGE_FULL or
   * CHAIN_UNAVAILABLE while the disk refuses writes.
   */
  admit(tenantIdentity: string, record: LedgerRecord, payload: Uint8Array): OutboxEntry;
  /**
   * Resolves when the entries are durable; those that were removed meanwhile are not written. After a rejection they
   * are admitted as before.
   */
  store(entries: readonly OutboxEntry[]): Promise<void>;
  /** Forgets an admitted entry that the chain never got. */
  withdraw(entry: OutboxEntry): void;
  /** All durable entries, pending and failed, oldest first. */
  readEntries(): readonly OutboxEntry[];
  /** Durable entries of one tenant, oldest first. */
  readTenant(tenantIdentity: string): readonly OutboxEntry[];
  /** Durable entries of a stream, of whichever tenant, oldest first. */
  readStreamOfAll(streamIdentity: string): readonly OutboxEntry[];
  /** Durable entries of one stream, oldest first. */
  readStream(tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[];
  /** Number of records that wait for the chain, stored or not. */
  pendingCount(): number;
  /** Payload bytes of a tenant's records that wait for the chain, stored or not. */
  pendingOf(tenantIdentity: string): Amount;
  /** Number of records that the chain refused. */
  failedCount(): number;
  /** Whether tenants that have refused records get no further ones until some are cleared. */
  isFailedFull(): boolean;
  /** The highest nonce of a transaction that may contain entries; undefined when none was noted. */
  highestNonce(): AccountNonce | undefined;
  /** Notes, durably, a nonce with which entries are about to be sent. One of another account replaces the highest. */
  noteNonce(account: AccountNonce): Promise<void>;
  /**
   * The newest time at which a record of a stored entry, or of an entry that was removed before a clean end, was
   * accepted, in milliseconds since 1970; undefined when none was.
   */
  newestAcceptedMs(): number | undefined;
  /** The reason why no record can be accepted now; undefined when records can be. */
  findHealthIssue(): string | undefined;
  /** Removes entries whose records are on the chain, in block `blockNumber` at the latest. */
  remove(entries: readonly OutboxEntry[], blockNumber: number): Promise<void>;
  /** Forgets the entries of a tenant that the chain refused. Resolves with them. */
  clearFailed(tenantIdentity: string): Promise<readonly OutboxEntry[]>;
  /** Marks an entry whose record the chain refuses. */
  fail(entry: OutboxEntry, failure: Failure): Promise<void>;
  /** Copies the outbox as it is now into a new one in another directory. */
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

/** Options of an outbox. */
export interface OutboxOptions {
  readonly directory: string;
  /** Largest number of records that may wait for the chain. */
  readonly entriesMax: number;
  /** Most payload bytes that they may have. Any number unless given. */
  readonly bytesMax?: number;
  /** Refused records of all tenants from which on those that have some get no further ones. Any number unless given. */
  readonly failedMax?: Amount;
  /** Called when the disk refuses writes, when it accepts them again, and when `failedMax` is reached. */
  readonly onProblem?: WriteRecoveryOptions['onProblem'];
  /** Milliseconds between two attempts to write again after a failed write. */
  readonly recoveryPeriodMs?: number;
}

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

// The writes of entries and nonces, which are refused while the disk refuses writes.
const createRecoveredWrites = (store: OutboxStore, recovery: WriteRecovery) => {
  const assertWorking = (): void => {
    const failure = recovery.failure();
    if (failure !== undefined) throw failure;
  };
  return {
    assertWorking,
    // While the disk refuses writes, transactions with nonces that it has are still sent.
    noteNonce: async (account: AccountNonce): Promise<void> => {
      if (store.isNoted(account)) return;
      assertWorking();
      await store.noteNonce(account).catch((cause: unknown) => {
        throw recovery.begin(cause);
      });
    },
    write: async (prepare: () => readonly OutboxEntry[]): Promise<void> => {
      assertWorking();
      await store.write(prepare).catch((cause: unknown) => {
        throw recovery.begin(cause);
      });
    },
  };
};

const ANY: Amount = { count: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };

const REFUSED_FULL = 'The chain has refused too many records, which an operator must clear first';

const describeFull = ({ count, bytes }: Amount): string =>
  `the outbox keeps ${count} records of ${bytes} bytes that the chain refused; their tenants get OUTBOX_FULL until ` +
  'some are cleared (npm run tenant -- failed, clear-failed)';

/** With less room, the outbox is full: large records have about as many bytes. */
const ROOM_BYTES = 65_536;

// What the outbox has room for: records that wait, and refused ones.
const createRoom = (
  { entriesMax, bytesMax, failedMax = ANY, onProblem }: OutboxOptions,
  entries: ReturnType<typeof createOutboxEntries>,
  admitted: ReturnType<typeof createAdmittedEntries>,
) => {
  const max: Amount = { count: entriesMax, bytes: bytesMax ?? ANY.bytes };
  const findPending = (): Amount => addAmounts(entries.pending(), admitted.all());
  const findFree = (): Amount => toFree(max, findPending());
  const isRefusedFull = (): boolean => isFailedFull({ failed: entries.failed(), failedMax });
  return {
    isFailedFull: isRefusedFull,
    sayFull: (): void => {
      if (isRefusedFull()) onProblem?.(describeFull(entries.failed()));
    },
    assertFor: (tenantIdentity: string, bytes: number): void => {
      const own = addAmounts(entries.ofTenant(tenantIdentity), admitted.ofTenant(tenantIdentity));
      if (!hasRoom({ max, free: findFree(), own }, bytes)) throw new LedgerError('OUTBOX_FULL');
      const failed = entries.failed();
      const all = addAmounts(findPending(), failed);
      const refused = { failedMax, pendingMax: max, failed, all, own, hasFailed: entries.hasFailed(tenantIdentity) };
      if (!hasRefusedRoom(refused, bytes)) throw new LedgerError('OUTBOX_FULL', { message: REFUSED_FULL });
    },
    /** Why there is none for records that wait; undefined while there is. */
    findIssue: (): string | undefined => {
      const free = findFree();
      if (free.count <= 0) return `${max.count} records wait for the chain`;
      return free.bytes < ROOM_BYTES ? `${max.bytes - free.bytes} bytes of records wait for the chain` : undefined;
    },
  };
};

interface RemovalParts {
  readonly assertWorking: () => void;
  readonly store: OutboxStore;
  readonly recovery: WriteRecovery;
  readonly entries: ReturnType<typeof createOutboxEntries>;
  readonly admitted: ReturnType<typeof createAdmittedEntries>;
}

// Entries leave the memory at once; a removal from the disk that fails is repeated.
const createRemovals = (parts: RemovalParts): Pick<Outbox, 'remove' | 'clearFailed'> => {
  const { assertWorking, store, recovery, entries, admitted } = parts;
  const remove: Outbox['remove'] = async (removed, blockNumber) => {
    const stored = removed.filter(admitted.mayBeOnDisk);
    for (const entry of removed) {
      admitted.delete(entry);
      entries.delete(entry);
    }
    store.note(removed, blockNumber);
    if (stored.length > 0) await store.remove(stored).catch(recovery.begin);
  };
  return {
    remove,
    clearFailed: async (tenantIdentity) => {
      assertWorking();
      const failed = entries.tenant(tenantIdentity).filter(({ status }) => status === 'FAILED');
      await remove(failed, 0);
      return failed;
    },
  };
};

/**
 * Opens the outbox in a directory. Rejects with OUTBOX_CORRUPT, naming the entry, when one cannot be read as it was
 * written.
 */
export const createOutbox = async (options: OutboxOptions): Promise<Outbox> => {
  await using opened = new AsyncDisposableStack();
  const store = opened.adopt(await openOutboxStore(options.directory), ({ close }) => close());
  const loaded = await store.readAll();
  const entries = createOutboxEntries();
  for (const entry of loaded) entries.put(entry);
  let nextSequence = (loaded.at(-1)?.sequence ?? 0) + 1;
  opened.move();

  const recovery = createOutboxRecovery(options, store, entries.all);
  const { assertWorking, noteNonce, write } = createRecoveredWrites(store, recovery);
  const admitted = createAdmittedEntries(write);
  const room = createRoom(options, entries, admitted);
  room.sayFull();

  const admit: Outbox['admit'] = (tenantIdentity, record, payload) => {
    assertWorking();
    room.assertFor(tenantIdentity, payload.length);
    const streamIdentity = toStreamIdentityOf(record);
    const given = { tenantIdentity, streamIdentity, record, payload };
    const entry: OutboxEntry = { sequence: nextSequence++, ...given, status: 'PENDING', reason: '' };
    admitted.add(entry);
    return entry;
  };
  const storeAdmitted = async (group: readonly OutboxEntry[]): Promise<void> => {
    for (const entry of await admitted.store(group)) entries.put(entry);
  };

  return {
    admit,
    store: storeAdmitted,
    withdraw: admitted.delete,
    pendingCount: () => entries.pending().count + admitted.all().count,
    pendingOf: (tenantIdentity) => addAmounts(entries.pendingOf(tenantIdentity), admitted.ofTenant(tenantIdentity)),
    failedCount: () => entries.failed().count,
    isFailedFull: room.isFailedFull,
    highestNonce: store.highestNonce,
    noteNonce,
    newestAcceptedMs: store.newestAcceptedMs,
    findHealthIssue: () => {
      const failure = recovery.failure();
      return failure === undefined ? room.findIssue() : failure.message;
    },
    readEntries: () => entries.all(),
    readTenant: entries.tenant,
    readStreamOfAll: entries.streamOfAll,
    readStream: entries.stream,
    ...createRemovals({ assertWorking, store, recovery, entries, admitted }),
    fail: async (entry, { failureReason, reason }) => {
      await storeAdmitted([entry]);
      const failed: OutboxEntry = { ...entry, status: 'FAILED', reason, failureReason };
      await write(() => [failed]);
      const wasFull = room.isFailedFull();
      entries.put(failed);
      if (!wasFull) room.sayFull();
    },
    copyTo: async (directory) => {
      assertWorking();
      await store.copyTo(directory);
    },
    close: async () => {
      await recovery.stop();
      await store.writeNoted().catch(recovery.begin);
      await store.close();
    },
  };
};

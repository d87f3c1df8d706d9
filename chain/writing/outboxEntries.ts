// The outbox's entries in memory: in order of acceptance, and by stream for reads of one resource.
import type { FailureReason } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { type Amount, createAmount, NOTHING, toFree } from './outboxShares.ts';

/** One accepted record. */
export interface OutboxEntry {
  /** Order of acceptance. */
  readonly sequence: number;
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
  readonly record: LedgerRecord;
  /** `encodePayload(record)`. */
  readonly payload: Uint8Array;
  readonly status: 'PENDING' | 'FAILED';
  /** Why the chain refused the record: a sentence for the operator; empty while it is pending. */
  readonly reason: string;
  /** The same as a code, if the record is FAILED. */
  readonly failureReason?: FailureReason;
}

const bySequence = (a: OutboxEntry, b: OutboxEntry): number => a.sequence - b.sequence;
const NO_ENTRIES: readonly OutboxEntry[] = [];

// Entries unique by sequence. Their list is built when it is read after a change: many are added between two reads. A
// map keeps the order in which they come, which is that of acceptance unless a write took longer than a later one.
const createEntryList = () => {
  const entries = new Map<number, OutboxEntry>();
  const amount = createAmount();
  let list: readonly OutboxEntry[] | undefined;
  let newest = 0;
  let isOrdered = true;
  const order = (): void => {
    const ordered = [...entries.values()].sort(bySequence);
    entries.clear();
    for (const entry of ordered) entries.set(entry.sequence, entry);
    isOrdered = true;
  };
  return {
    amount: amount.read,
    put: (entry: OutboxEntry): void => {
      if (!entries.has(entry.sequence)) amount.add(entry);
      isOrdered &&= entry.sequence > newest || entries.has(entry.sequence);
      newest = Math.max(newest, entry.sequence);
      entries.set(entry.sequence, entry);
      list = undefined;
    },
    delete: (entry: OutboxEntry): void => {
      if (entries.delete(entry.sequence)) amount.remove(entry);
      list = undefined;
    },
    /** In order of acceptance. */
    read: (): readonly OutboxEntry[] => {
      if (!isOrdered) order();
      list ??= [...entries.values()];
      return list;
    },
  };
};

type EntryList = ReturnType<typeof createEntryList>;

// Lists by a text; an empty one is forgotten.
const createEntryLists = (keyOf: (entry: OutboxEntry) => string) => {
  const lists = new Map<string, EntryList>();
  return {
    find: (key: string): EntryList | undefined => lists.get(key),
    put: (entry: OutboxEntry): void => {
      const list = lists.get(keyOf(entry)) ?? createEntryList();
      list.put(entry);
      lists.set(keyOf(entry), list);
    },
    delete: (entry: OutboxEntry): void => {
      const list = lists.get(keyOf(entry));
      list?.delete(entry);
      if (list?.amount().count === 0) lists.delete(keyOf(entry));
    },
  };
};

/** A text that only entries of one stream of one tenant have. */
export const streamKeyOf = ({
  tenantIdentity,
  streamIdentity,
}: Pick<OutboxEntry, 'tenantIdentity' | 'streamIdentity'>) => `${tenantIdentity} ${streamIdentity}`;

/** An empty set of entries, unique by sequence. Its lists are in order of acceptance. */
export const createOutboxEntries = () => {
  const entries = createEntryList();
  const pending = createEntryList();
  const pendingOfTenants = createEntryLists(({ tenantIdentity }) => tenantIdentity);
  const tenants = createEntryLists(({ tenantIdentity }) => tenantIdentity);
  const streams = createEntryLists(({ streamIdentity }) => streamIdentity);
  const tenantStreams = createEntryLists(streamKeyOf);
  const all = [entries, tenants, streams, tenantStreams];
  return {
    put: (entry: OutboxEntry): void => {
      for (const list of all) list.put(entry);
      for (const list of [pending, pendingOfTenants]) {
        if (entry.status === 'PENDING') list.put(entry);
        else list.delete(entry);
      }
    },
    delete: (entry: OutboxEntry): void => {
      for (const list of [...all, pending, pendingOfTenants]) list.delete(entry);
    },
    all: entries.read,
    tenant: (tenantIdentity: string): readonly OutboxEntry[] => tenants.find(tenantIdentity)?.read() ?? NO_ENTRIES,
    stream: (tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[] =>
      tenantStreams.find(streamKeyOf({ tenantIdentity, streamIdentity }))?.read() ?? NO_ENTRIES,
    /** Those of the stream in any tenant. */
    streamOfAll: (streamIdentity: string): readonly OutboxEntry[] => streams.find(streamIdentity)?.read() ?? NO_ENTRIES,
    ofTenant: (tenantIdentity: string): Amount => tenants.find(tenantIdentity)?.amount() ?? NOTHING,
    /** A tenant's entries that the chain has not refused. */
    pendingOf: (tenantIdentity: string): Amount => pendingOfTenants.find(tenantIdentity)?.amount() ?? NOTHING,
    pending: pending.amount,
    /** What the chain has refused. */
    failed: (): Amount => toFree(entries.amount(), pending.amount()),
    /** Whether the chain has refused entries of the tenant. */
    hasFailed: (tenantIdentity: string): boolean =>
      (tenants.find(tenantIdentity)?.amount().count ?? 0) >
      (pendingOfTenants.find(tenantIdentity)?.amount().count ?? 0),
  };
};

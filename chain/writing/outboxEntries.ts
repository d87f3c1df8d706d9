// The outbox's entries in memory: in order of acceptance, and by stream for reads of one resource.
import type { LedgerRecord } from '../../ledger/records/record.ts';

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
  /** Why the chain refused the record; empty while it is pending. */
  readonly reason: string;
}

const bySequence = (a: OutboxEntry, b: OutboxEntry): number => a.sequence - b.sequence;
const NO_ENTRIES: readonly OutboxEntry[] = [];

/** An empty set of entries, unique by sequence. */
export const createOutboxEntries = () => {
  const entries = new Map<number, OutboxEntry>();
  const pending = new Set<number>();
  const streams = new Map<string, readonly OutboxEntry[]>();
  const toStreamKey = (tenantIdentity: string, streamIdentity: string): string => `${tenantIdentity} ${streamIdentity}`;
  const keyOf = (entry: OutboxEntry): string => toStreamKey(entry.tenantIdentity, entry.streamIdentity);
  const othersOf = (entry: OutboxEntry): readonly OutboxEntry[] =>
    (streams.get(keyOf(entry)) ?? NO_ENTRIES).filter(({ sequence }) => sequence !== entry.sequence);
  return {
    put: (entry: OutboxEntry): void => {
      streams.set(keyOf(entry), [...othersOf(entry), entry].sort(bySequence));
      entries.set(entry.sequence, entry);
      if (entry.status === 'PENDING') pending.add(entry.sequence);
      else pending.delete(entry.sequence);
    },
    delete: (entry: OutboxEntry): void => {
      const others = othersOf(entry);
      if (others.length === 0) streams.delete(keyOf(entry));
      else streams.set(keyOf(entry), others);
      entries.delete(entry.sequence);
      pending.delete(entry.sequence);
    },
    // A map keeps the insertion order of its keys, which is the order of acceptance.
    all: (): OutboxEntry[] => [...entries.values()],
    stream: (tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[] =>
      streams.get(toStreamKey(tenantIdentity, streamIdentity)) ?? NO_ENTRIES,
    pendingCount: (): number => pending.size,
    failedCount: (): number => entries.size - pending.size,
  };
};

// The outbox's entries in memory: in order of acceptance, and by stream for reads of one resource.
import type { FailureReason } from '../../ledger/records/commitment.ts';
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
  /** Why the chain refused the record: a sentence for the operator; empty while it is pending. */
  readonly reason: string;
  /** The same as a code, if the record is FAILED. */
  readonly failureReason?: FailureReason;
}

const bySequence = (a: OutboxEntry, b: OutboxEntry): number => a.sequence - b.sequence;
const NO_ENTRIES: readonly OutboxEntry[] = [];

// Entries unique by sequence. Their list is built when it is read after a change: many are added between two reads.
const createEntryList = () => {
  const entries = new Map<number, OutboxEntry>();
  let list: readonly OutboxEntry[] | undefined;
  return {
    size: (): number => entries.size,
    put: (entry: OutboxEntry): void => {
      entries.set(entry.sequence, entry);
      list = undefined;
    },
    delete: ({ sequence }: OutboxEntry): void => {
      entries.delete(sequence);
      list = undefined;
    },
    /** In order of acceptance. */
    read: (): readonly OutboxEntry[] => {
      list ??= [...entries.values()].sort(bySequence);
      return list;
    },
  };
};

/** A text that only entries of one stream of one tenant have. */
export const streamKeyOf = ({
  tenantIdentity,
  streamIdentity,
}: Pick<OutboxEntry, 'tenantIdentity' | 'streamIdentity'>) => `${tenantIdentity} ${streamIdentity}`;

/** An empty set of entries, unique by sequence. */
export const createOutboxEntries = () => {
  const entries = createEntryList();
  const pending = new Set<number>();
  const streams = new Map<string, ReturnType<typeof createEntryList>>();
  const putIntoStream = (entry: OutboxEntry): void => {
    const stream = streams.get(streamKeyOf(entry)) ?? createEntryList();
    stream.put(entry);
    streams.set(streamKeyOf(entry), stream);
  };
  const deleteFromStream = (entry: OutboxEntry): void => {
    const stream = streams.get(streamKeyOf(entry));
    stream?.delete(entry);
    if (stream?.size() === 0) streams.delete(streamKeyOf(entry));
  };
  return {
    put: (entry: OutboxEntry): void => {
      putIntoStream(entry);
      entries.put(entry);
      if (entry.status === 'PENDING') pending.add(entry.sequence);
      else pending.delete(entry.sequence);
    },
    delete: (entry: OutboxEntry): void => {
      deleteFromStream(entry);
      entries.delete(entry);
      pending.delete(entry.sequence);
    },
    all: entries.read,
    stream: (tenantIdentity: string, streamIdentity: string): readonly OutboxEntry[] =>
      streams.get(streamKeyOf({ tenantIdentity, streamIdentity }))?.read() ?? NO_ENTRIES,
    pendingCount: (): number => pending.size,
    failedCount: (): number => entries.size() - pending.size,
  };
};

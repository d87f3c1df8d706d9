// The outbox's entries that are accepted and not on the disk yet.
import type { OutboxEntry } from './outboxEntries.ts';

/** Writes the entries that `prepare` returns when their batch begins. Resolves when they are durable. */
type WriteEntries = (prepare: () => readonly OutboxEntry[]) => Promise<void>;

/** An empty set of admitted entries. */
export const createAdmittedEntries = (write: WriteEntries) => {
  const admitted = new Set<OutboxEntry>();
  const tenantCounts = new Map<string, number>();
  // Those of them that the batch in progress writes.
  const storing = new Set<OutboxEntry>();
  const count = ({ tenantIdentity }: OutboxEntry, by: 1 | -1): void => {
    const counted = (tenantCounts.get(tenantIdentity) ?? 0) + by;
    if (counted > 0) tenantCounts.set(tenantIdentity, counted);
    else tenantCounts.delete(tenantIdentity);
  };
  const remove = (entry: OutboxEntry): boolean => {
    const isRemoved = admitted.delete(entry);
    if (isRemoved) count(entry, -1);
    return isRemoved;
  };
  const mayBeOnDisk = (entry: OutboxEntry): boolean => !admitted.has(entry) || storing.has(entry);
  const writeWaiting = async (entries: readonly OutboxEntry[]): Promise<readonly OutboxEntry[]> => {
    let written: readonly OutboxEntry[] = [];
    try {
      await write(() => {
        written = entries.filter((entry) => !mayBeOnDisk(entry));
        for (const entry of written) storing.add(entry);
        return written;
      });
    } finally {
      for (const entry of written) storing.delete(entry);
    }
    return written;
  };
  return {
    size: (): number => admitted.size,
    /** Payload bytes of a tenant's entries. */
    tenantBytes: (tenantIdentity: string): number => {
      let bytes = 0;
      for (const entry of admitted) if (entry.tenantIdentity === tenantIdentity) bytes += entry.payload.length;
      return bytes;
    },
    tenantCount: (tenantIdentity: string): number => tenantCounts.get(tenantIdentity) ?? 0,
    add: (entry: OutboxEntry): void => {
      admitted.add(entry);
      count(entry, 1);
    },
    delete: (entry: OutboxEntry): void => {
      remove(entry);
    },
    /** Whether the disk has the entry, or the batch in progress writes it. */
    mayBeOnDisk,
    /**
     * Resolves, when all the entries that are still admitted are durable, with those that this call has written; they
     * are admitted no more.
     */
    store: async (entries: readonly OutboxEntry[]): Promise<readonly OutboxEntry[]> => {
      const written = await writeWaiting(entries);
      return written.filter(remove);
    },
  };
};

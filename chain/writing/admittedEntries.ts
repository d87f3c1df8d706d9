// The outbox's entries that are accepted and not on the disk yet.
import type { OutboxEntry } from './outboxEntries.ts';
import { type Amount, createAmount, NOTHING } from './outboxShares.ts';

/** Writes the entries that `prepare` returns when their batch begins. Resolves when they are durable. */
type WriteEntries = (prepare: () => readonly OutboxEntry[]) => Promise<void>;

/** An empty set of admitted entries. */
export const createAdmittedEntries = (write: WriteEntries) => {
  const admitted = new Set<OutboxEntry>();
  const amount = createAmount();
  const tenants = new Map<string, ReturnType<typeof createAmount>>();
  // Those of them that the batch in progress writes.
  const storing = new Set<OutboxEntry>();
  const add = (entry: OutboxEntry): void => {
    admitted.add(entry);
    amount.add(entry);
    const ofTenant = tenants.get(entry.tenantIdentity) ?? createAmount();
    ofTenant.add(entry);
    tenants.set(entry.tenantIdentity, ofTenant);
  };
  const remove = (entry: OutboxEntry): boolean => {
    if (!admitted.delete(entry)) return false;
    amount.remove(entry);
    const ofTenant = tenants.get(entry.tenantIdentity)!;
    ofTenant.remove(entry);
    if (ofTenant.read().count === 0) tenants.delete(entry.tenantIdentity);
    return true;
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
    all: amount.read,
    ofTenant: (tenantIdentity: string): Amount => tenants.get(tenantIdentity)?.read() ?? NOTHING,
    add,
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

// Which tenants write at the moment: those with records in the last batches, or that wait for the next one.

/** The tenants of the last batches. */
export interface WritingTenants {
  /** A record of the tenant waits, or was taken. */
  add(tenantIdentity: string): void;
  /** A batch begins: tenants without a record in the last ones are forgotten. */
  endBatch(): void;
  /** Whether there are several. */
  areSeveral(): boolean;
}

/** Remembers tenants for so many batches. */
export const createWritingTenants = (batches: number): WritingTenants => {
  // By the last batch, the oldest first.
  const lastBatches = new Map<string, number>();
  let batch = 0;
  return {
    add: (tenantIdentity) => {
      if (lastBatches.get(tenantIdentity) === batch) return;
      lastBatches.delete(tenantIdentity);
      lastBatches.set(tenantIdentity, batch);
    },
    endBatch: () => {
      batch += 1;
      for (const [tenantIdentity, last] of lastBatches) {
        if (last > batch - batches) break;
        lastBatches.delete(tenantIdentity);
      }
    },
    areSeveral: () => lastBatches.size > 1,
  };
};

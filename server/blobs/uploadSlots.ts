// How many uploads may be under way at once, in all and of one tenant, so that no tenant can take every turn.
import { LedgerError } from '../../ledger/errors.ts';

export interface UploadSlots {
  /** Runs a task in a slot of the tenant. Rejects with UPLOADS_BUSY when there is none. */
  occupy<T>(tenantIdentity: string, task: () => Promise<T>): Promise<T>;
}

/** Slots, none of them taken. */
export const createUploadSlots = ({ max, tenantMax }: { max: number; tenantMax: number }): UploadSlots => {
  const counts = new Map<string, number>();
  let total = 0;
  const change = (tenantIdentity: string, by: 1 | -1): void => {
    const count = (counts.get(tenantIdentity) ?? 0) + by;
    if (count === 0) counts.delete(tenantIdentity);
    else counts.set(tenantIdentity, count);
    total += by;
  };
  return {
    occupy: async (tenantIdentity, task) => {
      if (total >= max || (counts.get(tenantIdentity) ?? 0) >= tenantMax) throw new LedgerError('UPLOADS_BUSY');
      change(tenantIdentity, 1);
      try {
        return await task();
      } finally {
        change(tenantIdentity, -1);
      }
    },
  };
};

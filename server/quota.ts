// Limits how many records of a kind a tenant has (decision 39). Concurrent creations can't exceed the limit: each is
// counted before it is appended, one after the other, and creations in progress count as records. A creation never
// waits for the commitment of another.
import type { Page, PageQuery } from '../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode } from '../ledger/errors.ts';
import { createRunExclusively } from './fairness/exclusive.ts';

interface Identified {
  readonly identity: string;
}

/** The records that are counted, and their limit. */
export interface Counted<T extends Identified> {
  /** All records of the tenant, newest first. */
  list(tenantIdentity: string, page: PageQuery): Promise<Page<T>>;
  readonly max: number;
  /** Error code when the limit is reached. */
  readonly code: LedgerErrorCode;
  /** Throws when the added record may not join those that the tenant has, for another reason than their number. */
  assertCapacity?(present: readonly T[], added: T): void;
}

export interface Quota<T extends Identified> {
  /**
   * Runs a creation if the tenant may have one more record. The list must contain the record from the moment that
   * `create` has resolved.
   * Rejects with the quota's code, or as `assertCapacity` or `create` does.
   */
  createWithin<R>(tenantIdentity: string, added: T, create: () => Promise<R>): Promise<R>;
}

/** A quota for every tenant. */
export const createQuota = <T extends Identified>({ list, max, code, assertCapacity }: Counted<T>): Quota<T> => {
  const runExclusively = createRunExclusively();
  /** Records whose creation is in progress, by tenant and identity. */
  const inProgress = new Map<string, Map<string, T>>();
  // Counts those in progress that are listed already twice, so that only too few may seem to be left.
  const isFarFrom = async (tenantIdentity: string): Promise<boolean> => {
    const created = inProgress.get(tenantIdentity)?.size ?? 0;
    const { total } = await list(tenantIdentity, { limit: 1, position: undefined, isCounted: true });
    return total! + created < max;
  };
  const assertMore = async (tenantIdentity: string, added: T): Promise<void> => {
    // Read before the list: a creation that ends in the meantime counts once, whether or not the list contains its
    // record.
    const created = [...(inProgress.get(tenantIdentity)?.values() ?? [])];
    const { items, total } = await list(tenantIdentity, { limit: max + 1, position: undefined, isCounted: true });
    const listed = new Set(items.map((item) => item.identity));
    const unlisted = created.filter(({ identity }) => !listed.has(identity));
    if (total! + unlisted.length >= max) throw new LedgerError(code);
    assertCapacity?.([...items, ...unlisted], added);
  };
  const reserve = async (tenantIdentity: string, added: T): Promise<void> => {
    // To read all records is work that few creations need.
    const isFree = assertCapacity === undefined && (await isFarFrom(tenantIdentity));
    if (!isFree) await assertMore(tenantIdentity, added);
    inProgress.set(tenantIdentity, (inProgress.get(tenantIdentity) ?? new Map<string, T>()).set(added.identity, added));
  };
  const release = (tenantIdentity: string, { identity }: T): void => {
    const ofTenant = inProgress.get(tenantIdentity)!;
    ofTenant.delete(identity);
    if (ofTenant.size === 0) inProgress.delete(tenantIdentity);
  };
  return {
    createWithin: async (tenantIdentity, added, create) => {
      await runExclusively(tenantIdentity, () => reserve(tenantIdentity, added));
      try {
        return await create();
      } finally {
        release(tenantIdentity, added);
      }
    },
  };
};

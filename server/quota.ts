// How many of a kind a tenant may have (decisions.md point 39). Creations that race can't pass it: each takes its place before it is
// appended, one after the other, and places that the ledger doesn't show yet count. Nobody waits for another one's commitment.
import type { Page, PageQuery } from '../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode } from '../ledger/errors.ts';
import { createRunExclusively } from './exclusive.ts';

/** What is counted: all that a tenant has of it, newest first. */
export interface Counted {
  list(tenantIdentity: string, page: PageQuery): Promise<Page<{ readonly identity: string }>>;
  readonly max: number;
  /** The refusal of one more. */
  readonly code: LedgerErrorCode;
}

export interface Quota {
  /**
   * Runs a creation when the tenant may have one more. The list must show what is created from the moment that `create` has ended.
   * Rejects with the quota's code.
   */
  createWithin<T>(tenantIdentity: string, identity: string, create: () => Promise<T>): Promise<T>;
}

export const createQuota = ({ list, max, code }: Counted): Quota => {
  const runExclusively = createRunExclusively();
  /** What is being created, by tenant. */
  const underWay = new Map<string, Set<string>>();
  const take = async (tenantIdentity: string, identity: string): Promise<void> => {
    // Before the list is read: one that ends meanwhile counts as it was, whether or not the list has it.
    const created = [...(underWay.get(tenantIdentity) ?? [])];
    const { items, total } = await list(tenantIdentity, { limit: max + 1, after: undefined, isCounted: true });
    const listed = new Set(items.map((item) => item.identity));
    const unlisted = created.filter((each) => !listed.has(each));
    if (total! + unlisted.length >= max) throw new LedgerError(code);
    underWay.set(tenantIdentity, (underWay.get(tenantIdentity) ?? new Set()).add(identity));
  };
  const free = (tenantIdentity: string, identity: string): void => {
    const ofTenant = underWay.get(tenantIdentity)!;
    ofTenant.delete(identity);
    if (ofTenant.size === 0) underWay.delete(tenantIdentity);
  };
  return {
    createWithin: async (tenantIdentity, identity, create) => {
      await runExclusively(tenantIdentity, () => take(tenantIdentity, identity));
      try {
        return await create();
      } finally {
        free(tenantIdentity, identity);
      }
    },
  };
};

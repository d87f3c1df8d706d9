// How many of a kind a tenant may have (decision 39). Creations that race can't pass it: each takes its place before it is
// appended, one after the other, and places that the ledger doesn't show yet count. Nobody waits for another one's commitment.
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';
import { LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { createRunExclusively } from './exclusive.ts';

interface Identified {
  readonly identity: string;
}

/** What is counted: all that a tenant has of it, newest first. */
export interface Counted<T extends Identified> {
  list(tenantIdentity: string, page: PageQuery): Promise<Page<T>>;
  readonly max: number;
  /** The refusal of one more. */
  readonly code: LedgerErrorCode;
  /** Throws a refusal where there is no room for one more beside all that the tenant has, whatever their number. */
  assertRoom?(present: readonly T[], added: T): void;
}

export interface Quota<T extends Identified> {
  /**
   * Runs a creation when the tenant may have one more. The list must show what is created from the moment that `create` has ended.
   * Rejects with the quota's code, or as `assertRoom` throws.
   */
  createWithin<R>(tenantIdentity: string, added: T, create: () => Promise<R>): Promise<R>;
}

export const createQuota = <T extends Identified>({ list, max, code, assertRoom }: Counted<T>): Quota<T> => {
  const runExclusively = createRunExclusively();
  /** What is being created, by tenant. */
  const underWay = new Map<string, Map<string, T>>();
  const take = async (tenantIdentity: string, added: T): Promise<void> => {
    // Before the list is read: one that ends meanwhile counts as it was, whether or not the list has it.
    const created = [...(underWay.get(tenantIdentity)?.values() ?? [])];
    const { items, total } = await list(tenantIdentity, { limit: max + 1, position: undefined, isCounted: true });
    const listed = new Set(items.map((item) => item.identity));
    const unlisted = created.filter(({ identity }) => !listed.has(identity));
    if (total! + unlisted.length >= max) throw new LedgerError(code);
    assertRoom?.([...items, ...unlisted], added);
    underWay.set(tenantIdentity, (underWay.get(tenantIdentity) ?? new Map<string, T>()).set(added.identity, added));
  };
  const free = (tenantIdentity: string, { identity }: T): void => {
    const ofTenant = underWay.get(tenantIdentity)!;
    ofTenant.delete(identity);
    if (ofTenant.size === 0) underWay.delete(tenantIdentity);
  };
  return {
    createWithin: async (tenantIdentity, added, create) => {
      await runExclusively(tenantIdentity, () => take(tenantIdentity, added));
      try {
        return await create();
      } finally {
        free(tenantIdentity, added);
      }
    },
  };
};

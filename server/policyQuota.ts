// How many compliance policies a tenant may have (decisions.md point 39). Creations that race can't pass it: each takes its place before it is
// appended, one after the other, and places that the ledger doesn't show yet count. Nobody waits for another one's commitment.
import type { LedgerView } from '../indexer/ledgerView.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { ServerDeps } from './deps.ts';
import { createRunExclusively } from './exclusive.ts';

type QuotaDeps = Pick<ServerDeps, 'limits'> & { readonly view: Pick<LedgerView, 'listPolicies'> };

export interface PolicyQuota {
  /**
   * Runs the creation of a policy when the tenant may have one more. The view must show the policy from the moment that `create` has ended.
   * Rejects with POLICY_QUOTA_REACHED.
   */
  createWithin<T>(tenantIdentity: string, policyIdentity: string, create: () => Promise<T>): Promise<T>;
}

const ALL = { fields: [], order: 'newest' } as const;

/** How many policies the tenant may still create. */
export const readPoliciesLeft = async ({ view, limits }: QuotaDeps, tenantIdentity: string): Promise<number> => {
  const { total } = await view.listPolicies(tenantIdentity, ALL, { limit: 1, after: undefined, isCounted: true });
  return Math.max(0, limits.policiesMax - total!);
};

export const createPolicyQuota = ({ view, limits: { policiesMax } }: QuotaDeps): PolicyQuota => {
  const runExclusively = createRunExclusively();
  /** Policies that are being created, by tenant. */
  const underWay = new Map<string, Set<string>>();
  const take = async (tenantIdentity: string, policyIdentity: string): Promise<void> => {
    // Before the list is read: one that ends meanwhile counts as it was, whether or not the list has it.
    const created = [...(underWay.get(tenantIdentity) ?? [])];
    const page = { limit: policiesMax + 1, after: undefined, isCounted: true };
    const { items, total } = await view.listPolicies(tenantIdentity, ALL, page);
    const listed = new Set(items.map(({ identity }) => identity));
    const unlisted = created.filter((identity) => !listed.has(identity));
    if (total! + unlisted.length >= policiesMax) throw new LedgerError('POLICY_QUOTA_REACHED');
    underWay.set(tenantIdentity, (underWay.get(tenantIdentity) ?? new Set()).add(policyIdentity));
  };
  const free = (tenantIdentity: string, policyIdentity: string): void => {
    const ofTenant = underWay.get(tenantIdentity)!;
    ofTenant.delete(policyIdentity);
    if (ofTenant.size === 0) underWay.delete(tenantIdentity);
  };
  return {
    createWithin: async (tenantIdentity, policyIdentity, create) => {
      await runExclusively(tenantIdentity, () => take(tenantIdentity, policyIdentity));
      try {
        return await create();
      } finally {
        free(tenantIdentity, policyIdentity);
      }
    },
  };
};

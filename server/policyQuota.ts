// How many compliance policies a tenant may have, and may still create (decisions.md point 39).
import type { LedgerView, PageQuery } from '../indexer/ledgerView.ts';
import type { ServerDeps } from './deps.ts';
import { createQuota, type Quota } from './quota.ts';

type QuotaDeps = Pick<ServerDeps, 'limits'> & { readonly view: Pick<LedgerView, 'listPolicies'> };

const ALL = { fields: [], order: 'newest' } as const;

/** How many policies the tenant may still create. */
export const readPoliciesLeft = async ({ view, limits }: QuotaDeps, tenantIdentity: string): Promise<number> => {
  const { total } = await view.listPolicies(tenantIdentity, ALL, { limit: 1, after: undefined, isCounted: true });
  return Math.max(0, limits.policiesMax - total!);
};

/** The quota of policies; refuses with POLICY_QUOTA_REACHED. */
export const createPolicyQuota = ({ view, limits }: QuotaDeps): Quota =>
  createQuota({
    list: (tenantIdentity: string, page: PageQuery) => view.listPolicies(tenantIdentity, ALL, page),
    max: limits.policiesMax,
    code: 'POLICY_QUOTA_REACHED',
  });

// Limits the number of a tenant's access policies.
import type { SharingView } from '../../indexer/sharingView.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { AccessPolicy } from '../../ledger/records/accessPolicy.ts';
import type { ServerDeps } from '../deps.ts';
import { createQuota, type Quota } from '../quota.ts';

type CountDeps = Pick<ServerDeps, 'limits'> & { readonly view: Pick<SharingView, 'listStoredAccessPolicies'> };
type QuotaDeps = CountDeps & Pick<ServerDeps, 'runInSlices'>;

type Identified = Pick<AccessPolicy, 'identity'>;

/** How many access policies the tenant may still create. */
export const readAccessPoliciesLeft = async ({ view, limits }: CountDeps, tenantIdentity: string): Promise<number> => {
  const one = { limit: 1, position: undefined, isCounted: true };
  const { total } = await view.listStoredAccessPolicies(tenantIdentity, one);
  return Math.max(0, limits.accessPoliciesMax - total!);
};

function* decodeEach(stored: readonly (() => AccessPolicy)[]): Steps<Identified[]> {
  const policies: Identified[] = [];
  for (const decode of stored) {
    policies.push({ identity: decode().identity });
    yield;
  }
  return policies;
}

/** The quota of access policies. Refuses with ACCESS_POLICY_QUOTA_REACHED. */
export const createAccessPolicyQuota = ({ view, limits, runInSlices }: QuotaDeps): Quota<Identified> =>
  createQuota({
    list: async (tenantIdentity, query) => {
      const page = await view.listStoredAccessPolicies(tenantIdentity, query);
      return { ...page, items: await runInSlices(tenantIdentity, decodeEach(page.items)) };
    },
    max: limits.accessPoliciesMax,
    code: 'ACCESS_POLICY_QUOTA_REACHED',
  });

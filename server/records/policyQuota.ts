// Limits the number of a tenant's compliance policies, and their total weight (decision 39).
import type { LedgerView, PageQuery } from '../../indexer/ledgerView.ts';
import { toHeaviestField, type Weighed, weighPolicy } from '../../ledger/compliance/policyWeight.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import { refuseField } from '../../ledger/errors.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import type { ServerDeps } from '../deps.ts';
import { createQuota, type Quota } from '../quota.ts';

type CountDeps = Pick<ServerDeps, 'limits'> & { readonly view: Pick<LedgerView, 'listStoredPolicies'> };
type QuotaDeps = CountDeps & Pick<ServerDeps, 'runInSlices'>;

/** How many policies the tenant may still create. */
export const readPoliciesLeft = async ({ view, limits }: CountDeps, tenantIdentity: string): Promise<number> => {
  const { total } = await view.listStoredPolicies(tenantIdentity, { limit: 1, position: undefined, isCounted: true });
  return Math.max(0, limits.policiesMax - total!);
};

/** The weight of one policy. */
export interface PolicyWeight {
  readonly identity: string;
  readonly weight: number;
  readonly heaviestField: keyof Weighed;
}

/** Weighs a policy. */
export const toPolicyWeight = (policy: PolicyResource): PolicyWeight => ({
  identity: policy.identity,
  weight: weighPolicy(policy),
  heaviestField: toHeaviestField(policy),
});

// Existing policies stay, whatever they weigh.
const assertLight = (present: readonly PolicyWeight[], added: PolicyWeight, weightMax: number): void => {
  const left = weightMax - present.reduce((sum, { weight }) => sum + weight, 0);
  if (added.weight <= left) return;
  const available = `${Math.max(0, left)} of ${weightMax} are left for the policies of the tenant`;
  const remedy = 'shorten it, or delete policies';
  throw refuseField(
    'POLICY_WEIGHT_REACHED',
    added.heaviestField,
    `the policy weighs ${added.weight}, and ${available}: ${remedy}`,
  );
};

function* weighEach(stored: readonly (() => PolicyResource)[]): Steps<PolicyWeight[]> {
  const weights: PolicyWeight[] = [];
  for (const decode of stored) {
    weights.push(toPolicyWeight(decode()));
    yield;
  }
  return weights;
}

/**
 * The quota of policies. Refuses with POLICY_QUOTA_REACHED, or with POLICY_WEIGHT_REACHED that names the heaviest
 * field.
 */
export const createPolicyQuota = ({ view, limits, runInSlices }: QuotaDeps): Quota<PolicyWeight> =>
  createQuota({
    list: async (tenantIdentity: string, query: PageQuery) => {
      const page = await view.listStoredPolicies(tenantIdentity, query);
      return { ...page, items: await runInSlices(tenantIdentity, weighEach(page.items)) };
    },
    max: limits.policiesMax,
    code: 'POLICY_QUOTA_REACHED',
    assertCapacity: (present, added) => assertLight(present, added, limits.policyWeightMax),
  });

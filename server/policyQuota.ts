// How many compliance policies a tenant may have, and may still create (decisions.md point 39), and what they may weigh together.
import type { LedgerView, PageQuery } from '../indexer/ledgerView.ts';
import { toHeaviestField, type Weighed, weighPolicy } from '../ledger/compliance/policyWeight.ts';
import { refuseField } from '../ledger/errors.ts';
import type { PolicyResource } from '../ledger/resources.ts';
import type { ServerDeps } from './deps.ts';
import { createQuota, type Quota } from './quota.ts';

type QuotaDeps = Pick<ServerDeps, 'limits'> & { readonly view: Pick<LedgerView, 'listPolicies'> };

const ALL = { fields: [], order: 'newest' } as const;

/** How many policies the tenant may still create. */
export const readPoliciesLeft = async ({ view, limits }: QuotaDeps, tenantIdentity: string): Promise<number> => {
  const { total } = await view.listPolicies(tenantIdentity, ALL, { limit: 1, after: undefined, isCounted: true });
  return Math.max(0, limits.policiesMax - total!);
};

// What is there already stays, whatever it weighs.
const assertLight = (present: readonly Weighed[], added: Weighed, weightMax: number): void => {
  const left = weightMax - present.reduce((sum, policy) => sum + weighPolicy(policy), 0);
  const weight = weighPolicy(added);
  if (weight <= left) return;
  const room = `${Math.max(0, left)} of ${weightMax} are left for the policies of the tenant`;
  const remedy = 'shorten it, or delete policies';
  throw refuseField(
    'POLICY_WEIGHT_REACHED',
    toHeaviestField(added),
    `the policy weighs ${weight}, and ${room}: ${remedy}`,
  );
};

/** The quota of policies; refuses with POLICY_QUOTA_REACHED, or with POLICY_WEIGHT_REACHED that names the heaviest field. */
export const createPolicyQuota = ({ view, limits }: QuotaDeps): Quota<PolicyResource> =>
  createQuota({
    list: (tenantIdentity: string, page: PageQuery) => view.listPolicies(tenantIdentity, ALL, page),
    max: limits.policiesMax,
    code: 'POLICY_QUOTA_REACHED',
    assertRoom: (present, added) => assertLight(present, added, limits.policyWeightMax),
  });

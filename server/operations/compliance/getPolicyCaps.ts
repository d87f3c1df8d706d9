// Returns how many compliance policies the tenant may still create.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { readPoliciesLeft } from '../../records/policyQuota.ts';

export const getPolicyCaps =
  (deps: ServerDeps): Handler<'getPolicyCaps'> =>
  async ({ caller }) => {
    const left = await readPoliciesLeft(deps, caller.tenantIdentity);
    return {
      status: 200,
      body: { caps: [{ resource_type: 'CompliancePolicies', resource_remaining: String(left) }] },
    };
  };

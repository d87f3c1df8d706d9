// Reads of compliance policies.
import { type AssetAnswer, api, receive } from './client.ts';
import type { PolicyAnswer } from './writes.ts';

/** Reads a policy. */
export const fetchPolicy = async (uuid: string, signal: AbortSignal): Promise<PolicyAnswer> =>
  (await receive(api.GET('/v1/compliance_policies/{uuid}', { params: { path: { uuid } }, signal }))).body;

/** How many more policies the tenant may have. */
export const fetchPolicyCaps = async (signal: AbortSignal): Promise<string> => {
  const { caps } = (await receive(api.GET('/v1/compliance_policies:caps', { signal }))).body;
  return caps.find(({ resource_type }) => resource_type === 'CompliancePolicies')?.resource_remaining ?? '';
};

/** The assets of a list that fail a policy now. At most 100 assets. */
export const fetchFailing = async (policy: string, assets: readonly AssetAnswer[]): Promise<AssetAnswer[]> => {
  if (assets.length === 0) return [];
  const body = { asset_identities: assets.map(({ identity }) => identity) };
  const checked = (await receive(api.POST('/v1/compliance/assets:check', { body }))).body.assets;
  const failing = new Set(
    checked.filter(({ failing_policies = [] }) => failing_policies.includes(policy)).map((each) => each.asset_identity),
  );
  return assets.filter(({ identity }) => failing.has(identity));
};

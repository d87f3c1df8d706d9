// A compliance policy for assets with a weight.
import type { FixtureTenant } from './fixtureTenant.ts';

/** Creates a policy that an asset with a weight complies with when it weighs 10 or more. */
export const createWeightPolicy = async ({ post }: FixtureTenant): Promise<{ identity: string }> => {
  const policy = {
    compliance_type: 'COMPLIANCE_RICHNESS',
    description: 'weight',
    display_name: 'weight',
    asset_filter: [{ or: ['attributes.weight=*'] }],
    richness_assertions: [{ or: ['weight>=10'] }],
  };
  return (await post<{ identity: string }>('../v1/compliance_policies', policy)).body;
};

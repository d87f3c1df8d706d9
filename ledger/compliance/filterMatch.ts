// Whether a policy is about an asset (decision 40).
import type { Attributes } from '../records/attributes.ts';
import type { PolicyContent } from '../records/policy.ts';
import { meets, parseCondition } from './assetFilter.ts';
import type { Steps } from './steps.ts';

/**
 * Whether an asset with these attributes is one that the policy's filter names: of each list it meets one condition. The empty filter names every
 * asset. What isn't a condition is met by none.
 */
export function* isAbout(policy: Pick<PolicyContent, 'asset_filter'>, attributes: Attributes): Steps<boolean> {
  const isMet = (text: string): boolean => {
    const condition = parseCondition(text);
    return condition !== undefined && meets(condition, attributes);
  };
  for (const { or } of policy.asset_filter) {
    if (!or.some(isMet)) return false;
    yield;
  }
  return true;
}

// Matching of assets with the filter of a policy (decision 40).
import type { Attributes } from '../records/attributes.ts';
import type { ConditionSyntax, PolicyContent } from '../records/policy.ts';
import { meets, parseCondition } from './assetFilter.ts';
import type { Steps } from './steps.ts';

/**
 * Whether the policy's filter matches an asset with these attributes: the asset meets one condition of each list. The
 * empty filter matches every asset. No asset meets a text that isn't a condition.
 */
export function* isAbout(
  policy: Pick<PolicyContent, 'asset_filter'> & { readonly condition_syntax?: ConditionSyntax | undefined },
  attributes: Attributes,
): Steps<boolean> {
  const isMet = (text: string): boolean => {
    const condition = parseCondition(text, policy.condition_syntax);
    return condition !== undefined && meets(condition, attributes);
  };
  for (const { or } of policy.asset_filter) {
    if (!or.some(isMet)) return false;
    yield;
  }
  return true;
}

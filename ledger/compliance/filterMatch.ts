// Whether a policy is about an asset (decisions.md point 40).
import type { Attributes } from '../attributes.ts';
import type { PolicyContent } from '../policyRecord.ts';
import { meets } from './assetFilter.ts';
import { compileFilter } from './compiledPolicy.ts';
import type { Steps } from './steps.ts';

/**
 * Whether an asset with these attributes is one that the policy's filter names: of each list it meets one condition. The empty filter names every
 * asset. What isn't a condition is met by none.
 */
export function* isAbout(policy: Pick<PolicyContent, 'asset_filter'>, attributes: Attributes): Steps<boolean> {
  for (const list of yield* compileFilter(policy)) {
    if (!list.some(({ parsed }) => parsed !== undefined && meets(parsed, attributes))) return false;
    yield;
  }
  return true;
}

// The syntax of the texts of access policies (decision 40).
import { parseCondition, writeCondition } from '../compliance/assetFilter.ts';
import { needsSyntax, restateLists, toSyntaxMember } from '../compliance/conditionSyntax.ts';
import type { AccessPolicyContent } from '../records/accessPolicy.ts';
import { parseUserClaim, writeUserClaim } from './userClaim.ts';

/** Content whose texts are of the escaped syntax, with the member that names it if a text needs that. */
export const withSyntax = ({
  display_name,
  description,
  filters,
  access_permissions,
}: Omit<AccessPolicyContent, 'condition_syntax'>): AccessPolicyContent => ({
  display_name,
  description,
  filters,
  access_permissions,
  ...toSyntaxMember(
    needsSyntax(parseCondition, filters) ||
      access_permissions.some(({ user_attributes }) => needsSyntax(parseUserClaim, user_attributes)),
  ),
});

/** A policy in texts of the escaped syntax, with the same meaning. */
export const restateAccessPolicy = (policy: AccessPolicyContent): AccessPolicyContent =>
  policy.condition_syntax === 'escaped'
    ? policy
    : withSyntax({
        ...policy,
        filters: restateLists(policy.filters, parseCondition, writeCondition),
        access_permissions: policy.access_permissions.map((permission) => ({
          ...permission,
          user_attributes: restateLists(permission.user_attributes, parseUserClaim, writeUserClaim),
        })),
      });

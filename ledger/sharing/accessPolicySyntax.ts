// The syntax of the texts of access policies (decision 40).
import { parseCondition, writeCondition } from '../compliance/assetFilter.ts';
import { isReadAlike, restateLists, toSyntaxMember } from '../compliance/conditionSyntax.ts';
import type { AccessPolicyContent } from '../records/accessPolicy.ts';
import { type Alternatives, type ConditionSyntax, NEWEST_SYNTAX } from '../records/policy.ts';
import { parseUserClaim, writeUserClaim } from './userClaim.ts';

/**
 * Content with the member that names the syntax of its texts if they need that.
 * @param filterSyntax the syntax that the filters are of; the claims are of the newest.
 */
export const withSyntax = (
  { display_name, description, filters, access_permissions }: Omit<AccessPolicyContent, 'condition_syntax'>,
  filterSyntax: ConditionSyntax = NEWEST_SYNTAX,
): AccessPolicyContent => ({
  display_name,
  description,
  filters,
  access_permissions,
  ...toSyntaxMember(
    { lists: filters, parse: parseCondition, syntax: filterSyntax },
    { lists: access_permissions.flatMap(({ user_attributes }) => user_attributes), parse: parseUserClaim },
  ),
});

const restate = (policy: AccessPolicyContent): AccessPolicyContent => ({
  ...policy,
  filters: restateLists(policy.filters, parseCondition, writeCondition),
  access_permissions: policy.access_permissions.map((permission) => ({
    ...permission,
    user_attributes: restateLists(permission.user_attributes, parseUserClaim, writeUserClaim),
  })),
});

const textsOf = (lists: readonly Alternatives[]): ReadonlySet<string> => new Set(lists.flatMap(({ or }) => or));

// Whether a text that stays would mean something else by the newest syntax: it could then show more than before.
const keepsReading = (
  before: readonly Alternatives[],
  after: readonly Alternatives[],
  earlier: ConditionSyntax,
): boolean => {
  const texts = textsOf(before);
  return after.some(({ or }) =>
    or.some((text) => texts.has(text) && !isReadAlike(parseCondition, text, earlier, NEWEST_SYNTAX)),
  );
};

/**
 * A policy with some members replaced by those of `changes`, whose texts are of the newest syntax. What it keeps has
 * the same meaning as before, so names in its filters become paths only when none of them that could be one stays.
 */
export const toNextAccessPolicy = (
  policy: AccessPolicyContent,
  changes: Partial<AccessPolicyContent>,
): AccessPolicyContent => {
  const kept = policy.condition_syntax === undefined ? restate(policy) : policy;
  const earlier = policy.condition_syntax ?? 'escaped';
  const { filters } = changes;
  const isKept = filters === undefined || keepsReading(kept.filters, filters, earlier);
  return withSyntax({ ...kept, ...changes }, isKept ? earlier : NEWEST_SYNTAX);
};

/**
 * Changes of an access policy, in which the texts that an earlier policy has already keep their meaning: who adds a
 * text to a list sends the others as they were read.
 */
export const restateChanges = (
  policy: AccessPolicyContent,
  changes: Partial<AccessPolicyContent>,
): Partial<AccessPolicyContent> => {
  if (policy.condition_syntax !== undefined) return changes;
  const { filters, access_permissions: permissions } = changes;
  const conditions = textsOf(policy.filters);
  const claims = textsOf(policy.access_permissions.flatMap(({ user_attributes }) => user_attributes));
  return {
    ...changes,
    ...(filters && {
      filters: restateLists(filters, parseCondition, writeCondition, (text) => conditions.has(text)),
    }),
    ...(permissions && {
      access_permissions: permissions.map((permission) => ({
        ...permission,
        user_attributes: restateLists(permission.user_attributes, parseUserClaim, writeUserClaim, (text) =>
          claims.has(text),
        ),
      })),
    }),
  };
};

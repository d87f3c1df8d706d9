// Validation of the access policies that clients send: text that grants nothing, or something else than it seems to, is
// refused instead of recorded. Their sizes are in the interface document.
import { assertBehaviour } from '../assets/behaviours.ts';
import { hasOuterBlank } from '../compliance/policyText.ts';
import { findTwoMeanings, findWrongCondition, findWrongLists } from '../compliance/textLists.ts';
import { findUnmeetable } from '../compliance/unmeetable.ts';
import { type FieldViolation, LedgerError } from '../errors.ts';
import type { AccessPermission, AccessPolicyContent } from '../records/accessPolicy.ts';
import { NEWEST_SYNTAX } from '../records/policy.ts';
import { ALL_NAMES } from './grants.ts';
import { parseUserClaim } from './userClaim.ts';

const findWrongClaim = (text: string): string | undefined => {
  const claim = parseUserClaim(text, NEWEST_SYNTAX);
  if (claim === undefined) return 'must be <claim>, then = or :, then a value';
  const ambiguity = findTwoMeanings(text);
  if (ambiguity !== undefined) return ambiguity;
  if ([text, claim.name, claim.value].some(hasOuterBlank)) return 'must have no blanks next to = or : or at either end';
  return claim.value === ALL_NAMES ? 'must have the whole value of a claim: * stands for no other' : undefined;
};

const toPermissionField = (index: number, member: keyof AccessPermission): string =>
  `access_permissions/${index}/${member}`;

const findWrongClaims = ({ user_attributes }: AccessPermission, index: number) =>
  findWrongLists({ field: toPermissionField(index, 'user_attributes'), findWrong: findWrongClaim }, user_attributes);

const assertBehaviours = (permissions: readonly AccessPermission[]): void => {
  for (const [index, { behaviours }] of permissions.entries()) {
    for (const [at, name] of behaviours.entries()) {
      if (name !== ALL_NAMES) assertBehaviour(name, `${toPermissionField(index, 'behaviours')}/${at}`);
    }
  }
};

/** The field of a subject that a permission names. */
export const toSubjectField = (permission: number, subject: number): string =>
  `${toPermissionField(permission, 'subjects')}/${subject}`;

const refuse = (violations: readonly FieldViolation[]): void => {
  const [first] = violations;
  if (first === undefined) return;
  throw new LedgerError('ACCESS_POLICY_INVALID', { message: `${first.field}: ${first.description}`, violations });
};

/**
 * Asserts that filters and permissions mean what they say. Whether the subjects exist is up to the caller.
 * @throws LedgerError ACCESS_POLICY_INVALID that names each invalid text, or BEHAVIOUR_UNKNOWN.
 */
export const assertAccessPolicy = ({
  filters = [],
  access_permissions = [],
}: Partial<Pick<AccessPolicyContent, 'filters' | 'access_permissions'>>): void => {
  refuse([
    ...findWrongLists({ field: 'filters', findWrong: findWrongCondition }, filters),
    ...access_permissions.flatMap(findWrongClaims),
  ]);
  refuse(findUnmeetable('filters', filters));
  assertBehaviours(access_permissions);
};

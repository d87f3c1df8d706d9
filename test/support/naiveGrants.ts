// The rules of access policies (decisions of sharing), stated as plainly as possible on the texts of a policy.
import type { AccessPermission } from '../../ledger/records/accessPolicy.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { Alternatives } from '../../ledger/records/policy.ts';
import type { GrantedEvent } from '../../ledger/sharing/grants.ts';

const isWritten = (text: string, attributes: Attributes): boolean => {
  const condition = text.startsWith('attributes.') ? text.slice('attributes.'.length) : text;
  for (let end = 0; end < condition.length; end += 1) {
    const operator = ['!=', '=', ':'].find((each) => condition.startsWith(each, end));
    if (operator === undefined) continue;
    const value = condition.slice(end + operator.length);
    if (end === 0 || value === '') return false;
    const actual = new Map(Object.entries(attributes)).get(condition.slice(0, end));
    const isPresent = actual !== undefined && !['""', '{}', '[]'].includes(JSON.stringify(actual));
    return (value === '*' ? isPresent : actual === value) !== (operator === '!=');
  }
  return false;
};

/** Whether filters match an asset with these attributes. */
export const naiveMatches = (filters: readonly Alternatives[], attributes: Attributes): boolean =>
  filters.filter(({ or }) => or.some((text) => isWritten(text, attributes))).length === filters.length;

/** Whether a permission is for a principal with these claims, of one of its tenants. */
export const naiveIsFor = (permission: AccessPermission, claims: ReadonlyMap<string, string>): boolean => {
  const { subjects, user_attributes: lists } = permission;
  if (subjects.length === 0 && lists.length === 0) return false;
  const written = [...claims].filter(([name, value]) => name !== '' && value !== '').map(([n, v]) => `${n}=${v}`);
  return lists.every(({ or }) => written.some((claim) => or.includes(claim)));
};

const isNamed = (names: readonly string[], name: string | undefined): boolean =>
  names.includes('*') || (name !== undefined && names.includes(name));

/** Whether a permission allows to record an event. */
export const naiveAllowsWrite = (permission: AccessPermission, event: GrantedEvent): boolean =>
  [
    isNamed(permission.behaviours, event.behaviour),
    isNamed(permission.event_arc_display_type_write, event.displayType),
    ...event.attributes.map((name) => isNamed(permission.asset_attributes_write, name)),
  ].every(Boolean);

/** Whether a permission lets its principals see an attribute of the asset. */
export const naiveSeesAttribute = (permission: AccessPermission, name: string): boolean =>
  isNamed(permission.include_attributes, name) || isNamed(permission.asset_attributes_read, name);

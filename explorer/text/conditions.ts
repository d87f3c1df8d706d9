// Conditions on attributes and claims as the rows of a form: lists of which all must be met, each with alternatives of
// which one suffices.
import { parseCondition } from '../../ledger/compliance/assetFilter.ts';
import { parseUserClaim } from '../../ledger/sharing/userClaim.ts';

/** One alternative. */
export interface ConditionRow {
  readonly name: string;
  readonly relation: '=' | '!=';
  readonly value: string;
}

/** Lists of which all must be met. */
export type ConditionLists = readonly (readonly ConditionRow[])[];

/** The lists as the interface has them. */
export type WireLists = { or: string[] }[];

/** An alternative that nothing is entered for. */
export const EMPTY_CONDITION: ConditionRow = { name: '', relation: '=', value: '' };

const toRows = (toRow: (text: string) => ConditionRow, lists: WireLists): ConditionLists =>
  lists.map(({ or }) => or.map(toRow));

// A text that is no condition stays in the form, which can't be sent until it is one.
const toConditionRow = (text: string): ConditionRow => {
  const condition = parseCondition(text);
  if (condition === undefined) return { ...EMPTY_CONDITION, name: text };
  return { name: condition.name, relation: condition.isDenied ? '!=' : '=', value: condition.value ?? '*' };
};

const toClaimRow = (text: string): ConditionRow => ({
  ...EMPTY_CONDITION,
  ...(parseUserClaim(text) ?? { name: text }),
});

const toWire = (toText: (row: ConditionRow) => string, lists: ConditionLists): WireLists =>
  lists.map((rows) => ({ or: rows.map(toText) }));

/** The filters of a policy as rows. */
export const toFilterRows = (filters: WireLists): ConditionLists => toRows(toConditionRow, filters);

/** Rows as the filters of a policy. The prefix tells attributes apart whose own names have one. */
export const toFilters = (lists: ConditionLists): WireLists =>
  toWire(({ name, relation, value }) => `attributes.${name}${relation}${value}`, lists);

/** The claims of a permission as rows. */
export const toClaimRows = (claims: WireLists): ConditionLists => toRows(toClaimRow, claims);

/** Rows as the claims of a permission. */
export const toUserAttributes = (lists: ConditionLists): WireLists =>
  toWire(({ name, value }) => `${name}=${value}`, lists);

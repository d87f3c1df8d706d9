// Conditions on attributes and claims as the rows of a form: lists of which all must be met, each with alternatives of
// which one suffices.
import { parseCondition, writeCondition } from '../../ledger/compliance/assetFilter.ts';
import type { ConditionSyntax } from '../../ledger/records/policy.ts';
import { parseUserClaim, writeUserClaim } from '../../ledger/sharing/userClaim.ts';

/** One alternative. */
export interface ConditionRow {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

/** Operators with their words. */
export type Operators = readonly (readonly [operator: string, text: string])[];

/** Operators that need no value. */
const IS_PRESENT = '=*';
const IS_ABSENT = '!=*';

/** Operators of conditions on assets. */
export const ASSET_OPERATORS: Operators = [
  ['=', 'is'],
  ['!=', 'is not'],
  [IS_PRESENT, 'is present'],
  [IS_ABSENT, 'is absent or empty'],
];

/** Lists of which all must be met. */
export type ConditionLists = readonly (readonly ConditionRow[])[];

/** The lists as the interface has them. */
export type WireLists = { or: string[] }[];

/** An alternative that nothing is entered for. */
export const EMPTY_CONDITION: ConditionRow = { name: '', operator: '=', value: '' };

/** Attributes that assets usually have. */
export const COMMON_NAMES = [
  'arc_display_name',
  'arc_display_type',
  'arc_serial_number',
  'arc_home_location_identity',
] as const;

/** Whether the operator of a row compares with a value. */
export const hasValue = ({ operator }: ConditionRow): boolean => operator !== IS_PRESENT && operator !== IS_ABSENT;

/** The syntax that a policy names; undefined in most policies. */
export type Syntax = ConditionSyntax | undefined;

// The row that a condition on assets is; undefined if the text is none.
const readCondition = (text: string, syntax: Syntax): ConditionRow | undefined => {
  const condition = parseCondition(text, syntax);
  if (condition === undefined) return undefined;
  const { name, isDenied, value } = condition;
  return { name, operator: `${isDenied ? '!' : ''}=${value === undefined ? '*' : ''}`, value: value ?? '' };
};

const toRows = (toRow: (text: string, syntax: Syntax) => ConditionRow, lists: WireLists, syntax: Syntax) =>
  lists.map(({ or }) => or.map((text) => toRow(text, syntax)));

// A text that is no condition stays in the form, which can't be sent until it is one.
const toConditionRow = (text: string, syntax: Syntax): ConditionRow =>
  readCondition(text, syntax) ?? { ...EMPTY_CONDITION, name: text };

const toClaimRow = (text: string, syntax: Syntax): ConditionRow => ({
  ...EMPTY_CONDITION,
  ...(parseUserClaim(text, syntax) ?? { name: text }),
});

const toWire = (toText: (row: ConditionRow) => string, lists: ConditionLists): WireLists =>
  lists.map((rows) => ({ or: rows.map(toText) }));

/** The filters of a policy as rows. */
export const toFilterRows = (filters: WireLists, syntax: Syntax): ConditionLists =>
  toRows(toConditionRow, filters, syntax);

/** The text of a row. It has a prefix, which tells attributes apart whose own names have one. */
export const toConditionText = (row: ConditionRow): string =>
  writeCondition({
    name: row.name,
    isDenied: row.operator.startsWith('!'),
    value: hasValue(row) ? row.value : undefined,
  });

/** Rows as the filters of a policy. */
export const toFilters = (lists: ConditionLists): WireLists => toWire(toConditionText, lists);

/** The claims of a permission as rows. */
export const toClaimRows = (claims: WireLists, syntax: Syntax): ConditionLists => toRows(toClaimRow, claims, syntax);

/** Rows as the claims of a permission. */
export const toUserAttributes = (lists: ConditionLists): WireLists => toWire(writeUserClaim, lists);

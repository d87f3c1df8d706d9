// Conditions and assertions of policies, row by row: lists of which all must be met, each by one of its rows.
import { parseCondition } from '../../ledger/compliance/assetFilter.ts';
import { writeListFilter } from '../../ledger/compliance/listFilter.ts';
import { type Assertion, writeAssertion } from '../../ledger/compliance/rules/assertion.ts';
import type { FieldViolation } from '../../ledger/errors.ts';
import {
  ASSET_OPERATORS,
  type ConditionLists,
  type ConditionRow,
  hasValue,
  type Operators,
  type Syntax,
  toConditionText,
} from './conditions.ts';

/** The fields of a policy that have such lists. */
export type ConditionField = 'asset_filter' | 'richness_assertions';

/** Operators of each field, in words. */
export const OPERATORS: Readonly<Record<ConditionField, Operators>> = {
  asset_filter: ASSET_OPERATORS,
  richness_assertions: [
    ['=', 'is'],
    ['!=', 'is not'],
    ['<', 'is less than'],
    ['<=', 'is at most'],
    ['>', 'is more than'],
    ['>=', 'is at least'],
  ],
};

const PREFIX = 'attributes.';

const toName = ({ name }: ConditionRow): string => (name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name);

const toText = (field: ConditionField, row: ConditionRow): string => {
  const { operator, value } = row;
  return field === 'asset_filter'
    ? toConditionText({ ...row, name: toName(row) })
    : writeAssertion({ attribute: toName(row), operator: operator as Assertion['operator'], value });
};

const findWrong = (row: ConditionRow): string | undefined => {
  if (toName(row) === '') return 'needs the name of an attribute';
  return hasValue(row) && row.value === '' ? 'needs a value' : undefined;
};

/** The rows that mean nothing. */
export const findWrongConditions = (field: ConditionField, lists: ConditionLists): FieldViolation[] =>
  lists.flatMap((rows, list) =>
    rows.flatMap((row, at) => {
      const description = findWrong(row);
      return description === undefined ? [] : [{ field: `${field}/${list}/or/${at}`, description }];
    }),
  );

/** The lists as the interface takes them. */
export const toConditionTexts = (field: ConditionField, lists: ConditionLists): { or: string[] }[] =>
  lists.map((rows) => ({ or: rows.map((row) => toText(field, row)) }));

type Filter = readonly { readonly or: readonly string[] }[];

/**
 * The filters of the list of assets that select what an asset filter does; undefined where the list can't: it has no
 * alternatives, and one filter for each name.
 */
export const toListFilters = (filter: Filter, syntax: Syntax): Record<string, string> | undefined => {
  const found = new Map<string, string>();
  for (const { or } of filter) {
    const condition = or.length === 1 ? parseCondition(or[0]!, syntax) : undefined;
    if (condition === undefined) return undefined;
    const [parameter, value] = writeListFilter(condition);
    if (found.has(`${PREFIX}${parameter}`)) return undefined;
    found.set(`${PREFIX}${parameter}`, value);
  }
  return Object.fromEntries(found);
};

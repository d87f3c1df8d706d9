// Conditions and assertions of policies, row by row: lists of which all must be met, each by one of its rows.
import { parseCondition } from '../../ledger/compliance/assetFilter.ts';
import { parseAssertion } from '../../ledger/compliance/rules/assertion.ts';
import type { FieldViolation } from '../../ledger/errors.ts';

/** A condition as a form has it. */
export interface PolicyCondition {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

/** All lists must be met, each by at least one of its rows. */
export type PolicyConditionLists = readonly (readonly PolicyCondition[])[];

/** The fields of a policy that have such lists. */
export type ConditionField = 'asset_filter' | 'richness_assertions';

/** Operators that need no value. */
export const IS_PRESENT = '=*';
export const IS_ABSENT = '!=*';

/** Operators of each field, in words. */
export const OPERATORS: Readonly<Record<ConditionField, readonly (readonly [operator: string, text: string])[]>> = {
  asset_filter: [
    ['=', 'is'],
    ['!=', 'is not'],
    [IS_PRESENT, 'is present'],
    [IS_ABSENT, 'is absent or empty'],
  ],
  richness_assertions: [
    ['=', 'is'],
    ['!=', 'is not'],
    ['<', 'is less than'],
    ['<=', 'is at most'],
    ['>', 'is more than'],
    ['>=', 'is at least'],
  ],
};

export const EMPTY_ROW: PolicyCondition = { name: '', operator: '=', value: '' };

const PREFIX = 'attributes.';

/** Whether the operator of a row compares with a value. */
export const hasValue = ({ operator }: PolicyCondition): boolean => operator !== IS_PRESENT && operator !== IS_ABSENT;

const toText = (field: ConditionField, row: PolicyCondition): string => {
  const prefix = field === 'asset_filter' && !row.name.startsWith(PREFIX) ? PREFIX : '';
  return `${prefix}${row.name}${row.operator}${hasValue(row) ? row.value : ''}`;
};

const readBack = (field: ConditionField, text: string): PolicyCondition | undefined => {
  if (field === 'richness_assertions') {
    const assertion = parseAssertion(text);
    return assertion && { name: assertion.attribute, operator: assertion.operator, value: assertion.value };
  }
  const condition = parseCondition(text);
  if (condition === undefined) return undefined;
  const { name, isDenied, value } = condition;
  return { name, operator: `${isDenied ? '!' : ''}=${value === undefined ? '*' : ''}`, value: value ?? '' };
};

const findWrong = (field: ConditionField, row: PolicyCondition): string | undefined => {
  if (row.name === '') return 'needs the name of an attribute';
  if (hasValue(row) && row.value === '') return 'needs a value';
  const read = readBack(field, toText(field, row));
  const name = row.name.startsWith(PREFIX) ? row.name.slice(PREFIX.length) : row.name;
  const isSame = read?.name === name && read.operator === row.operator && (!hasValue(row) || read.value === row.value);
  return isSame ? undefined : 'can’t be written as a condition: its name or value has an operator, or is *';
};

/** The rows that mean nothing, or would be read as something else than what was entered. */
export const findWrongConditions = (field: ConditionField, lists: PolicyConditionLists): FieldViolation[] =>
  lists.flatMap((rows, list) =>
    rows.flatMap((row, at) => {
      const description = findWrong(field, row);
      return description === undefined ? [] : [{ field: `${field}/${list}/or/${at}`, description }];
    }),
  );

/** The lists as the interface takes them. */
export const toConditionTexts = (field: ConditionField, lists: PolicyConditionLists): { or: string[] }[] =>
  lists.map((rows) => ({ or: rows.map((row) => toText(field, row)) }));

type Filter = readonly { readonly or: readonly string[] }[];

/**
 * The filters of the list of assets that select what an asset filter does; undefined where the list can't: it has no
 * alternatives, and one filter for each name.
 */
export const toListFilters = (filter: Filter): Record<string, string> | undefined => {
  const found = new Map<string, string>();
  for (const { or } of filter) {
    const condition = or.length === 1 ? parseCondition(or[0]!) : undefined;
    if (condition === undefined) return undefined;
    const name = `${PREFIX}${condition.name}${condition.isDenied ? '!' : ''}`;
    if (found.has(name) || condition.name.endsWith('!')) return undefined;
    found.set(name, condition.value ?? '*');
  }
  return Object.fromEntries(found);
};

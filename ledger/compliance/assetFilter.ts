// Conditions of an asset filter (decision 40): `attributes.<name>` or `<name>`, then `=`, `:` or `!=`, then a
// value or `*`.
import { findTexts, hasFilledText, isPath } from '../records/attributePaths.ts';
import type { Attributes, AttributeValue } from '../records/attributes.ts';
import { type ConditionSyntax, NEWEST_SYNTAX } from '../records/policy.ts';
import { findReadings, splitText, writeText } from './escapes.ts';
import { PREFIX, withoutPrefix } from './policyText.ts';

/** A condition on one attribute, or on a text within one. */
export interface AttributeCondition {
  readonly name: string;
  /** Whether the name may also be the path of a text in a map or a list (`ledger/records/attributePaths.ts`). */
  readonly isPath?: true;
  readonly isDenied: boolean;
  /** Undefined for `*`, which stands for any value that isn't empty. */
  readonly value: string | undefined;
}

const ANYTHING = '*';
// The first separator in the text.
const CONDITION = /^((?:(?!!=)[^=:])+)(!=|[=:])(.+)$/s;

/**
 * Parses a condition; undefined where the name, the separator or the value is missing. Every character counts,
 * including blanks.
 */
export const parseCondition = (text: string, syntax: ConditionSyntax | undefined): AttributeCondition | undefined => {
  const parts = splitText(withoutPrefix(text), CONDITION, syntax);
  if (parts === undefined) return undefined;
  const { name, operator, value, valueShape } = parts;
  const condition = { name, isDenied: operator === '!=', value: valueShape === ANYTHING ? undefined : value };
  return syntax === 'paths' && isPath(name) ? { ...condition, isPath: true } : condition;
};

/** The text of a condition, as a policy that is created now has it. */
export const writeCondition = ({ name, isDenied, value }: Omit<AttributeCondition, 'isPath'>): string => {
  const operator = isDenied ? '!=' : '=';
  const isRead = (text: string): boolean => {
    const read = parseCondition(text, NEWEST_SYNTAX);
    return (
      read?.name === name && read.isDenied === isDenied && read.value === value && findReadings(text) === undefined
    );
  };
  return writeText({ name: `${PREFIX}${name}`, operator, value: value ?? ANYTHING }, isRead);
};

const isEmpty = (value: AttributeValue): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

const hasText = (texts: ReadonlySet<string>, value: string | undefined): boolean =>
  value === undefined ? hasFilledText(texts) : texts.has(value);

/**
 * Whether attributes meet a condition. `!=` is the negation of `=`: it matches assets with another value, and assets
 * without the attribute (decision 20). A map or a list equals no value; a path is met by any text that it leads to.
 */
export const meets = (
  { name, isPath: isOfTexts, isDenied, value }: AttributeCondition,
  attributes: Attributes,
): boolean => {
  const actual = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const isEqual = value === undefined ? actual !== undefined && !isEmpty(actual) : actual === value;
  const isMet = isEqual || (isOfTexts === true && findTexts(attributes, name).some((texts) => hasText(texts, value)));
  return isMet !== isDenied;
};

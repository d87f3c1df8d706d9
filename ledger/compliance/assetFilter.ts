// Conditions of an asset filter (decision 40): `attributes.<name>` or `<name>`, then `=`, `:` or `!=`, then a
// value or `*`.
import type { Attributes, AttributeValue } from '../records/attributes.ts';
import type { ConditionSyntax } from '../records/policy.ts';
import { findReadings, splitText, writeText } from './escapes.ts';
import { PREFIX, withoutPrefix } from './policyText.ts';

/** A condition on one attribute. */
export interface AttributeCondition {
  readonly name: string;
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
  return { name, isDenied: operator === '!=', value: valueShape === ANYTHING ? undefined : value };
};

/** The text of a condition, as a policy that is created now has it. */
export const writeCondition = ({ name, isDenied, value }: AttributeCondition): string => {
  const operator = isDenied ? '!=' : '=';
  const isRead = (text: string): boolean => {
    const read = parseCondition(text, 'escaped');
    return (
      read?.name === name && read.isDenied === isDenied && read.value === value && findReadings(text) === undefined
    );
  };
  return writeText({ name: `${PREFIX}${name}`, operator, value: value ?? ANYTHING }, isRead);
};

const isEmpty = (value: AttributeValue): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

/**
 * Whether attributes meet a condition. `!=` is the negation of `=`: it matches assets with another value, and assets
 * without the attribute (decision 20). A map or a list equals no value.
 */
export const meets = ({ name, isDenied, value }: AttributeCondition, attributes: Attributes): boolean => {
  const actual = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const isEqual = value === undefined ? actual !== undefined && !isEmpty(actual) : actual === value;
  return isEqual !== isDenied;
};

// Conditions of an asset filter (decision 40): `attributes.<name>` or `<name>`, then `=`, `:` or `!=`, then a value or
// `*`.
import type { Attributes, AttributeValue } from '../records/attributes.ts';
import { withoutPrefix } from './policyText.ts';

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
export const parseCondition = (text: string): AttributeCondition | undefined => {
  const match = CONDITION.exec(withoutPrefix(text));
  if (match === null) return undefined;
  const [, name, separator, value] = match as unknown as [string, string, string, string];
  return { name, isDenied: separator === '!=', value: value === ANYTHING ? undefined : value };
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

// One assertion about an attribute, `<attribute><operator><value>` (decisions 40, 47, 53 and 54).
import { compareCodePoints } from '../../encoding/codePoints.ts';
import { compareDecimals, type Decimal, parseDecimal } from '../../encoding/decimal.ts';
import { type ConditionSyntax, NEWEST_SYNTAX, type ValueOrder } from '../../records/policy.ts';
import { splitText, writeText } from '../escapes.ts';
import { PREFIX, withoutPrefix } from '../policyText.ts';
import { type Bound, toBound } from './bound.ts';

const HOLDS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
} as const;

const ORDERS: readonly string[] = ['<', '>', '<=', '>='];

/** Whether an operator compares by order. */
export const isOrdering = (operator: string): boolean => ORDERS.includes(operator);

/** An assertion, parsed. */
export interface Assertion {
  readonly attribute: string;
  readonly operator: keyof typeof HOLDS;
  readonly value: string;
}

// The first operator in the text; where two begin at the same place, the longer one. A value that begins like an
// operator (`==7`, `<>7`) is not a value: another operator was meant.
const ASSERTION = /^((?:(?!!=)[^=<>])+)([!<>]=|=|[<>](?!=))((?!!=|[=<>]).+)$/s;

/**
 * Parses an assertion, with or without `attributes.` before it; undefined where the attribute, the operator or the
 * value is missing. Every character counts, including blanks.
 */
export const parseAssertion = (text: string, syntax: ConditionSyntax | undefined): Assertion | undefined => {
  const parts = splitText<Assertion['operator']>(withoutPrefix(text), ASSERTION, syntax);
  return parts && { attribute: parts.name, operator: parts.operator, value: parts.value };
};

/** The text of an assertion, as a policy that is created now has it. */
export const writeAssertion = ({ attribute, operator, value }: Assertion): string => {
  const isRead = (text: string): boolean => {
    const read = parseAssertion(text, NEWEST_SYNTAX);
    return read?.attribute === attribute && read.operator === operator && read.value === value;
  };
  // A name that begins like the prefix needs it.
  const name = attribute === withoutPrefix(attribute) ? attribute : `${PREFIX}${attribute}`;
  return writeText({ name, operator, value }, isRead);
};

/** An attribute's text with its value as a number; `number` is undefined where the text isn't a decimal number. */
export interface Actual {
  readonly text: string;
  readonly number: Decimal | undefined;
}

/** A text as assertions compare it. */
export const toActual = (text: string): Actual => ({ text, number: parseDecimal(text) });

/**
 * What orders values, of an assertion that compares by order; undefined for another one, and where values are ordered
 * as texts, or not at all.
 */
export const toBoundOf = ({ operator, value }: Assertion, valueOrder: ValueOrder | undefined): Bound | undefined => {
  const isOrdered = isOrdering(operator) && (valueOrder === 'typed' || parseDecimal(value) !== undefined);
  return isOrdered ? toBound(value) : undefined;
};

const holdsByOrder = ({ operator, value }: Assertion, { text }: Actual): boolean => {
  const order = toBound(value)?.compare(text);
  return order !== undefined && HOLDS[operator](order);
};

/**
 * Whether the assertion holds for the attribute's text. Two decimal numbers are compared as numbers, other texts by
 * their code points, or in a policy that names the order of values, by the kind of the assertion's value. No assertion
 * holds for the empty text, and only a number is less or more than a number.
 */
export const holds = (assertion: Assertion, actual: Actual, valueOrder: ValueOrder | undefined): boolean => {
  const { operator, value } = assertion;
  if (actual.text === '') return false;
  const number = parseDecimal(value);
  const isByKind = number === undefined && valueOrder === 'typed' && isOrdering(operator);
  if (isByKind) return holdsByOrder(assertion, actual);
  if (number === undefined) return HOLDS[operator](compareCodePoints(actual.text, value));
  if (actual.number !== undefined) return HOLDS[operator](compareDecimals(actual.number, number));
  return !isOrdering(operator) && HOLDS[operator](compareCodePoints(actual.text, value));
};

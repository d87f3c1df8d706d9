// One assertion about an attribute, `<attribute><operator><value>` (decisions 40, 47, 53 and 54).
import { compareCodePoints } from '../../encoding/codePoints.ts';
import { compareDecimals, type Decimal, parseDecimal } from '../../encoding/decimal.ts';
import type { ConditionSyntax } from '../../records/policy.ts';
import { splitText, writeText } from '../escapes.ts';
import { PREFIX, withoutPrefix } from '../policyText.ts';

const HOLDS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
} as const;

const ORDERS: readonly string[] = ['<', '>', '<=', '>='];

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
    const read = parseAssertion(text, 'escaped');
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
 * Whether the assertion holds for the attribute's text. Two decimal numbers are compared as numbers, other texts by
 * their code points. No assertion holds for the empty text, and only a number is less or more than a number.
 */
export const holds = ({ operator, value }: Assertion, actual: Actual): boolean => {
  if (actual.text === '') return false;
  const number = parseDecimal(value);
  if (number === undefined) return HOLDS[operator](compareCodePoints(actual.text, value));
  if (actual.number !== undefined) return HOLDS[operator](compareDecimals(actual.number, number));
  return !ORDERS.includes(operator) && HOLDS[operator](compareCodePoints(actual.text, value));
};

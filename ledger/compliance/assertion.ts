// One assertion about an attribute, `<attribute><operator><value>` (decisions.md point 47).
import { compareCodePoints } from './codePoints.ts';
import { compareDecimals, parseDecimal } from './decimal.ts';

const HOLDS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '>': (order: number) => order > 0,
  '<=': (order: number) => order <= 0,
  '>=': (order: number) => order >= 0,
} as const;

export interface Assertion {
  readonly attribute: string;
  readonly operator: keyof typeof HOLDS;
  readonly value: string;
}

// The first operator in the text, and of two that begin at the same place the longer. A value that begins like an operator (`==7`, `<>7`) is none:
// somebody meant another operator.
const ASSERTION = /^((?:(?!!=)[^=<>])+)([!<>]=|=|[<>](?!=))((?!!=|[=<>]).+)$/s;

/**
 * The assertion that a text is; undefined where the attribute, the operator or the value is missing. Every character counts, spaces too; an
 * attribute whose name has an operator in it can't be named.
 */
export const parseAssertion = (text: string): Assertion | undefined => {
  const match = ASSERTION.exec(text);
  if (match === null) return undefined;
  const [, attribute, operator, value] = match as unknown as [string, string, Assertion['operator'], string];
  return { attribute, operator, value };
};

const compareValues = (a: string, b: string): number => {
  const [numberOfA, numberOfB] = [parseDecimal(a), parseDecimal(b)];
  return numberOfA === undefined || numberOfB === undefined
    ? compareCodePoints(a, b)
    : compareDecimals(numberOfA, numberOfB);
};

/** Whether the assertion holds of what the attribute is: as numbers where both are decimal numbers, else by their code points. */
export const holds = ({ operator, value }: Assertion, actual: string): boolean =>
  HOLDS[operator](compareValues(actual, value));

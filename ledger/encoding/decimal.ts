// Decimal numbers as texts, parsed and compared without rounding. Nothing is multiplied out, so that no exponent is too
// large.

/**
 * The parts of a decimal number's text. A part that the text doesn't have is undefined; `5.` has the empty fraction.
 */
export interface DecimalParts {
  readonly sign: '' | '+' | '-';
  /** Digits before the point, or without one. */
  readonly integer: string | undefined;
  /** Digits after the point. */
  readonly fraction: string | undefined;
  /** Digits after `e` or `E`, with their sign. */
  readonly exponent: string | undefined;
}

/**
 * A number as 0.`digits` times ten to the power of `exponent`. The digits neither begin nor end with a zero; zero has
 * none.
 */
export interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

// Sign, digits with or without a point, exponent, and nothing around them. No text matches in two ways, so that the
// time is linear in its length.
const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

/**
 * The parts of a decimal number's text; undefined where the text isn't one. `1`, `-0.50`, `.5`, `5.` and `1e-3` are
 * decimal numbers; ` 1`, `0x10`, `1,5` and `NaN` are not.
 */
export const splitDecimal = (text: string): DecimalParts | undefined => {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, integer, fraction = match[4], , exponent] = match;
  return { sign: sign as DecimalParts['sign'], integer, fraction, exponent };
};

const countTrailingZeros = (digits: string): number => {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.length - end;
};

/** The number that a text stands for; undefined where `splitDecimal` is. */
export const parseDecimal = (text: string): Decimal | undefined => {
  const parts = splitDecimal(text);
  if (parts === undefined) return undefined;
  const { sign, integer = '', fraction = '', exponent = '0' } = parts;
  const significant = (integer + fraction).replace(/^0+/, '');
  const digits = significant.slice(0, significant.length - countTrailingZeros(significant));
  return {
    isNegative: sign === '-' && digits !== '',
    digits,
    exponent: digits === '' ? 0n : BigInt(exponent) + BigInt(significant.length - fraction.length),
  };
};

const compare = <T extends bigint | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * Compares absolute values: less than 0, 0 or more than 0 as that of `a` is less than, equal to or more than that of
 * `b`.
 */
export const compareMagnitudes = (a: Decimal, b: Decimal): number => {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  return a.exponent === b.exponent ? compare(a.digits, b.digits) : compare(a.exponent, b.exponent);
};

/** Less than 0, 0 or more than 0 as `a` is less than, equal to or more than `b`. */
export const compareDecimals = (a: Decimal, b: Decimal): number => {
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  return a.isNegative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
};

// Decimal numbers, compared as they are written: no digit is lost, and no exponent is too large, because nothing is ever multiplied out.

/** A number as 0.`digits` times ten to the power of `exponent`; the digits neither begin nor end with a zero, and zero has none. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

// Sign, digits with or without a point, exponent; nothing around them. Each text matches in one way at most, so long ones cost no more.
const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;

const countTrailingZeros = (digits: string): number => {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.length - end;
};

/** The number that a text is; undefined where it is none. `1`, `-0.50`, `.5`, `5.` and `1e-3` are; ` 1`, `0x10`, `1,5` and `NaN` are not. */
export const parseDecimal = (text: string): Decimal | undefined => {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = match[4] ?? '', , exponent = '0'] = match;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.slice(0, significant.length - countTrailingZeros(significant));
  return {
    isNegative: sign === '-' && digits !== '',
    digits,
    exponent: digits === '' ? 0n : BigInt(exponent) + BigInt(significant.length - fraction.length),
  };
};

const compare = <T extends bigint | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1);

const compareMagnitudes = (a: Decimal, b: Decimal): number => {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  return a.exponent === b.exponent ? compare(a.digits, b.digits) : compare(a.exponent, b.exponent);
};

/** Less than 0, 0 or more than 0 as `a` is less than, equal to or more than `b`. */
export const compareDecimals = (a: Decimal, b: Decimal): number => {
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  return a.isNegative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
};

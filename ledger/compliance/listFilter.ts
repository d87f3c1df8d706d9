// Filters of lists by attributes: a parameter with a name and a value, where a `!` at the end of the name denies the
// value. Signs that would be read otherwise have a backslash before them, as in policies (decision 40).
import type { AttributeCondition } from './assetFilter.ts';

const ANYTHING = '*';
// A sign at the end of a name, and all backslashes before it: a search from each of them would take quadratic time.
const LAST_SIGN = /(?<!\\)(\\*)([!<>])$/;
// The backslashes before an asterisk that is all of a value.
const ASTERISK = /^(\\*)(?=\*$)/;

const halve = (backslashes: string): string => backslashes.slice(0, backslashes.length >> 1);
const isEscaped = (backslashes: string): boolean => backslashes.length % 2 === 1;

const resolveEnd = (name: string): string =>
  name.replace(LAST_SIGN, (_, backslashes: string, sign: string) => halve(backslashes) + sign);

const readName = (given: string): Pick<AttributeCondition, 'name' | 'isDenied'> => {
  const [whole = '', backslashes = '', sign] = LAST_SIGN.exec(given) ?? [];
  if (sign !== '!' || isEscaped(backslashes)) return { name: resolveEnd(given), isDenied: false };
  const rest = given.slice(0, given.length - whole.length);
  return { name: backslashes === '' ? resolveEnd(rest) : rest + halve(backslashes), isDenied: true };
};

/** The condition of a filter: the name of its parameter without the attribute map, and its value. */
export const readListFilter = (name: string, value: string): AttributeCondition => ({
  ...readName(name),
  value: value === ANYTHING ? undefined : value.replace(ASTERISK, halve),
});

/** The filter of a condition. */
export const writeListFilter = ({ name, isDenied, value }: AttributeCondition): [name: string, value: string] => {
  const escaped = name.replace(
    LAST_SIGN,
    (_, backslashes: string, sign: string) => `${backslashes.repeat(2)}\\${sign}`,
  );
  return [
    isDenied ? `${escaped.replace(/(?<!\\)\\+$/, (run) => run.repeat(2))}!` : escaped,
    value === undefined ? ANYTHING : value.replace(ASTERISK, (backslashes) => `${backslashes.repeat(2)}\\`),
  ];
};

// The sign that a policy's text would have, and a list doesn't.
const OTHER_SIGN = /[<>:]/;

/**
 * Why a filter is evidently another comparison than lists have, with the form that is right; undefined if it isn't.
 * `isDoubled`: whether its query has `==` between the name and the value.
 */
export const findMistakenFilter = (name: string, value: string, isDoubled = false): string | undefined => {
  const [before = ''] = name.split(OTHER_SIGN, 1);
  const right = `lists compare with = and != alone: ${before}=<value>`;
  if (value === '') return OTHER_SIGN.test(name) ? `has no =; ${right}` : undefined;
  const [, backslashes = '', sign] = LAST_SIGN.exec(name) ?? [];
  if (sign !== undefined && sign !== '!' && !isEscaped(backslashes))
    return `compares by order; ${right}. A name that ends with ${sign} has \\ before it`;
  return isDoubled ? `has ==; ${right}. A value that begins with = has %3D for it` : undefined;
};

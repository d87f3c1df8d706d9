// The order of values in policies that name it (decision 47). The bound of an assertion is of one kind, and orders
// values of this kind alone, so that no text is more or less by its characters.
import { compareDecimals, parseDecimal } from '../../encoding/decimal.ts';
import { compareWithDate, type IsoDate, parseIsoDate } from './isoDate.ts';
import { compareVersions, parseVersion } from './softwareVersion.ts';

/** What a bound orders. */
export interface Bound {
  /** What its values are, for people. */
  readonly kind: string;
  /** Less than 0, 0 or more than 0 as a value is less than, equal to or more than it; undefined for another kind. */
  compare(value: string): number | undefined;
}

const toBoundOf = <T>(
  text: string,
  parse: (text: string) => T | undefined,
  compare: (value: T, bound: T) => number | undefined,
  toKind: (bound: T) => string,
): Bound | undefined => {
  const bound = parse(text);
  if (bound === undefined) return undefined;
  const compareWith = (value: string): number | undefined => {
    const parsed = parse(value);
    return parsed === undefined ? undefined : compare(parsed, bound);
  };
  return { kind: toKind(bound), compare: compareWith };
};

const toDateKind = ({ time }: IsoDate): string => {
  if (time === undefined) return 'a date';
  return time.hasZone ? 'a time with a zone' : 'a time without a zone';
};

/** The bound that a text is: a decimal number, else a date or time, else a version; undefined for any other text. */
export const toBound = (text: string): Bound | undefined =>
  toBoundOf(text, parseDecimal, compareDecimals, () => 'a decimal number') ??
  toBoundOf(text, parseIsoDate, compareWithDate, toDateKind) ??
  toBoundOf(text, parseVersion, compareVersions, () => 'a version');

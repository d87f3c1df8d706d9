// Versions of software: numbers between dots, and semantic versions (semver.org 2.0.0) with their pre-releases. More
// lenient than the standard in what it reads: any number of numbers, leading zeros, and a `v` before them.

/** A version. */
export interface SoftwareVersion {
  /** Decimal digits. */
  readonly numbers: readonly string[];
  /** The identifiers of a pre-release; undefined for a release. */
  readonly preRelease: readonly string[] | undefined;
}

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = new RegExp(`^[vV]?(\\d+(?:\\.\\d+)*)(?:-(${IDENTIFIERS}))?(\\+${IDENTIFIERS})?$`);

/**
 * The version that a text is; undefined for another text. A single number has neither a pre-release nor a build, so
 * that `2026-11-27` is no version.
 */
export const parseVersion = (text: string): SoftwareVersion | undefined => {
  const [, core, preRelease, build] = VERSION.exec(text) ?? [];
  if (core === undefined) return undefined;
  if (!core.includes('.') && (preRelease !== undefined || build !== undefined)) return undefined;
  return { numbers: core.split('.'), preRelease: preRelease?.split('.') };
};

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

// Of any length.
const compareDigits = (a: string, b: string): number => {
  const [left, right] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')];
  return left.length - right.length || compareTexts(left, right);
};

const isNumeric = (identifier: string): boolean => /^\d+$/.test(identifier);

// A number comes before a name.
const compareIdentifiers = (a: string, b: string): number => {
  if (isNumeric(a) && isNumeric(b)) return compareDigits(a, b);
  return isNumeric(a) === isNumeric(b) ? compareTexts(a, b) : isNumeric(a) ? -1 : 1;
};

const compareLists = (
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): number | undefined =>
  a
    .slice(0, b.length)
    .map((part, at) => compare(part, b[at]!))
    .find((difference) => difference !== 0);

// Numbers that one lacks are zeros.
const compareNumbers = (a: readonly string[], b: readonly string[]): number => {
  const length = Math.max(a.length, b.length);
  const pad = (numbers: readonly string[]) => Array.from({ length }, (_, at) => numbers[at] ?? '0');
  return compareLists(pad(a), pad(b), compareDigits) ?? 0;
};

/** Less than 0, 0 or more than 0 as `a` is before, equal to or after `b`. A pre-release is before its release. */
export const compareVersions = (a: SoftwareVersion, b: SoftwareVersion): number => {
  const difference = compareNumbers(a.numbers, b.numbers);
  if (difference !== 0) return difference;
  if (a.preRelease === undefined || b.preRelease === undefined)
    return Number(a.preRelease === undefined) - Number(b.preRelease === undefined);
  return compareLists(a.preRelease, b.preRelease, compareIdentifiers) ?? a.preRelease.length - b.preRelease.length;
};

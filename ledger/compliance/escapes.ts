// Signs in the texts of conditions, assertions and claims that don't separate name and value: a backslash before a sign
// makes it a part of the text (decision 40). Backslashes count only directly before a sign, where two of them stand for
// one, so that `C:\temp` is itself.
import type { ConditionSyntax } from '../records/policy.ts';

// The backslashes before a sign, and the sign. All of them: a search from each of them would take quadratic time.
const SIGN = /(?<!\\)(\\*)([=:!<>*])/g;
/** Stands for an escaped sign where only the signs that separate are looked for. */
const NO_SIGN = 'x';

/** A text whose escapes are resolved. */
interface ResolvedText {
  readonly text: string;
  /** As long as `text`, with letters in place of the signs that were escaped. */
  readonly shape: string;
}

const toParts = ([, backslashes = '', sign = '']: RegExpMatchArray): ResolvedText => {
  const kept = backslashes.slice(0, backslashes.length >> 1);
  const isEscaped = backslashes.length % 2 === 1;
  return { text: kept + sign, shape: kept + (isEscaped ? NO_SIGN : sign) };
};

const resolveEscapes = (given: string): ResolvedText => {
  let [text, shape, end] = ['', '', 0];
  for (const match of given.matchAll(SIGN)) {
    const between = given.slice(end, match.index);
    const parts = toParts(match);
    text += between + parts.text;
    shape += between + parts.shape;
    end = match.index + match[0].length;
  }
  return { text: text + given.slice(end), shape: shape + given.slice(end) };
};

/** The parts of a text: a name, an operator, and a value. */
export interface TextParts<Operator extends string = string> {
  readonly name: string;
  readonly operator: Operator;
  readonly value: string;
  /** The value with a letter in place of each escaped sign. */
  readonly valueShape: string;
}

/**
 * The parts of a text by a form with the groups name, operator and value; undefined where it has another form. The
 * operators of the form are those of `SIGN`.
 */
export const splitText = <Operator extends string>(
  given: string,
  form: RegExp,
  syntax: ConditionSyntax | undefined,
): TextParts<Operator> | undefined => {
  const hasEscapes = syntax !== undefined && given.includes('\\');
  const { text, shape } = hasEscapes ? resolveEscapes(given) : { text: given, shape: given };
  const [, name, operator, valueShape] = form.exec(shape) ?? [];
  if (name === undefined || operator === undefined || valueShape === undefined) return undefined;
  const valueAt = name.length + operator.length;
  return { name: text.slice(0, name.length), operator: operator as Operator, value: text.slice(valueAt), valueShape };
};

const addEscapes = (text: string): string =>
  text.replace(SIGN, (_, backslashes: string, sign: string) => `${backslashes.repeat(2)}\\${sign}`);

// What follows a name is a sign, so the backslashes at its end are before one.
const escapeName = (name: string): string => addEscapes(name).replace(/(?<!\\)\\+$/, (run) => run.repeat(2));

/**
 * The shortest text that is read as these parts, with escapes only where it needs them.
 * @param isRead whether a text is read as the parts, and has no other reading.
 */
export const writeText = (
  { name, operator, value }: Pick<TextParts, 'name' | 'operator' | 'value'>,
  isRead: (text: string) => boolean,
): string =>
  [`${name}${operator}${value}`, `${escapeName(name)}${operator}${value}`].find(isRead) ??
  `${escapeName(name)}${operator}${addEscapes(value)}`;

const escapeBare = (given: string, sign: string): string =>
  given.replace(SIGN, (whole, backslashes: string, found: string) =>
    found === sign && backslashes.length % 2 === 0 ? `${backslashes}\\${sign}` : whole,
  );

// A name before `:`, and a longer one before the first `=`.
const TWO_READINGS = /^[^=:]+:[^=]*=./s;

/**
 * Both meanings of a text with two readings, each as a text that has it alone: the first `:` ends the name, or the
 * first `=` does; undefined for a text with one reading.
 */
export const findReadings = (given: string): readonly [colonEnds: string, equalsEnds: string] | undefined =>
  TWO_READINGS.test(resolveEscapes(given).shape) ? [escapeBare(given, '='), escapeBare(given, ':')] : undefined;

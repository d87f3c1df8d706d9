// The texts of C2SP formats: lines, and decimal numbers.
import { assertReadable } from './unreadableEvidence.ts';

/** The UTF-8 bytes of a text. */
export const toUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The lines of a text, each of which ends with a newline.
 * @throws UnreadableEvidence when the last line doesn't end, or there are more than `linesMax`.
 */
export const toLines = (text: string, linesMax: number): string[] => {
  assertReadable(text.endsWith('\n'), 'a text without a newline at its end');
  const lines = text.split('\n', linesMax + 2);
  assertReadable(lines.length <= linesMax + 1, 'a text with too many lines');
  return lines.slice(0, -1);
};

/**
 * The number that ASCII digits without leading zeros state.
 * @throws UnreadableEvidence for any other text, and beyond 2^53 - 1.
 */
export const fromDecimal = (text: string): number => {
  assertReadable(/^(?:0|[1-9][0-9]{0,15})$/.test(text), 'not a decimal number');
  const value = Number(text);
  assertReadable(Number.isSafeInteger(value), 'a number exceeds 2^53 - 1');
  return value;
};

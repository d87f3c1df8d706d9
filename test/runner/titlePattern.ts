// Which tests run, as a regular expression: mocha and Hardhat both select by one.

// Hardhat reads only the first line of a pattern.
const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\n', '\\n');

/**
 * The source of a regular expression for full titles.
 * @param isWhole whether the text is the whole title, or a part of it
 */
export const toPattern = (text: string, isWhole: boolean): string => {
  const escaped = escapeText(text);
  return isWhole ? `^${escaped}$` : escaped;
};

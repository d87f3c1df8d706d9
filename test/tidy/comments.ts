// The comments of a source file on their own lines: all else is blank, so that a line of the result is one of the file.
import { factsOf } from './scriptFacts.ts';
import type { Range } from './syntax.ts';

// Space for text, so that what is beside it stays apart.
const blank = (text: string): string => text.replaceAll(/[^\n]+/g, ' ');

const keep = (text: string, ranges: readonly Range[]): string => {
  let result = '';
  let position = 0;
  for (const [start, end] of ranges) {
    result += blank(text.slice(position, start)) + text.slice(start, end);
    position = end;
  }
  return result + blank(text.slice(position));
};

// Strings are matched too, so that a comment mark inside one isn't a comment.
const PATTERNS: Readonly<Record<string, RegExp>> = {
  sol: /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g,
  yaml: /"(?:\\.|[^"\\\n])*"|'[^'\n]*'|(?<=^|\s)(?<comment>#[^\n]*)/gm,
  py: /(?<comment>"""[\s\S]*?""")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<comment2>#[^\n]*)/g,
};

const patternComments = (pattern: RegExp, text: string): Range[] =>
  [...text.matchAll(pattern)]
    .filter(({ groups }) => groups?.comment !== undefined || groups?.comment2 !== undefined)
    .map(({ index, 0: match }) => [index, index + match.length]);

/** The extension of a path without its dot: `ts` of `ledger/errors.ts`. */
export const toExtension = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * The comments of a TypeScript, JavaScript, Solidity, YAML or Python file. They stay on their lines, and their marks at
 * the beginning of a line are blank, so that a sentence reads on over its lines.
 */
export const commentsOf = (path: string, text: string): string => {
  const pattern = PATTERNS[toExtension(path)];
  const ranges = pattern === undefined ? factsOf(path, text).comments : patternComments(pattern, text);
  return keep(text, ranges).replaceAll(/^[ \t]*(?:\/{2,3}|\/\*\*?|\*(?!\/)|#+)/gm, ' ');
};

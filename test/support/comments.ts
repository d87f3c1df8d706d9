// The comments of a source file at their own positions: everything else is blank, so that an offset in the result is an
// offset in the file.
import ts from 'typescript';

type Range = readonly [start: number, end: number];

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const keep = (text: string, ranges: readonly Range[]): string => {
  let result = '';
  let position = 0;
  for (const [start, end] of ranges) {
    if (start < position) continue;
    result += blank(text.slice(position, start)) + text.slice(start, end);
    position = end;
  }
  return result + blank(text.slice(position));
};

const scriptComments = (path: string, text: string): Range[] => {
  const found = new Map<number, Range>();
  const add = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) found.set(pos, [pos, end]);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file);
    if (children.length === 0) {
      add(ts.getLeadingCommentRanges(text, node.pos));
      add(ts.getTrailingCommentRanges(text, node.end));
    }
    children.forEach(visit);
  };
  visit(file);
  return [...found.values()].sort(([a], [b]) => a - b);
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
 * The comments of a TypeScript, JavaScript, Solidity, YAML or Python file. They keep their positions and, of their
 * marks, those at the beginning of a line are blank, so that a sentence reads on over its lines.
 */
export const commentsOf = (path: string, text: string): string => {
  const pattern = PATTERNS[toExtension(path)];
  const ranges = pattern === undefined ? scriptComments(path, text) : patternComments(pattern, text);
  return keep(text, ranges).replaceAll(/^[ \t]*(?:\/{2,3}|\/\*\*?|\*(?!\/)|#+)/gm, (mark) => blank(mark));
};

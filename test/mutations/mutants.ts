// The mutants of a source file: the file with one small fault each.
import ts from 'typescript';
import { shuffle } from '../runner/order.ts';
import { parse, toLine } from '../tidy/syntax.ts';
import { replacementsOf } from './replacements.ts';

/** A file of the repository with one place changed. */
export interface Mutant {
  readonly file: string;
  /** Where the change begins, counted from 1. */
  readonly line: number;
  readonly operator: string;
  /** Positions in the file's text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** What is between them in the mutant. */
  readonly replacement: string;
}

/** The lines that a mutant changes, without the spaces around them. */
export interface Change {
  readonly before: string;
  readonly after: string;
}

// What only checks the program itself, and what only people read.
const UNTESTED_CALLS = /^(?:assert|(?:console|log|logger)\??\.\w+)$/;
const UNTESTED_MEMBERS = new Set(['message', 'description', 'help', 'title']);

const isUntested = (node: ts.Node, file: ts.SourceFile): boolean =>
  (ts.isCallExpression(node) && UNTESTED_CALLS.test(node.expression.getText(file))) ||
  (ts.isPropertyAssignment(node) && UNTESTED_MEMBERS.has(node.name.getText(file))) ||
  (ts.isNewExpression(node) && node.expression.getText(file) === 'Error');

const isSkipped = (node: ts.Node, file: ts.SourceFile): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isJsxAttributes(node) ||
  (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
  (ts.isExpressionStatement(node) && isUntested(node.expression, file)) ||
  isUntested(node, file);

const isNameOfMember = (node: ts.Node, parent: ts.Node | undefined): boolean =>
  parent !== undefined && 'name' in parent && parent.name === node;

/** The text of the mutant. */
export const toMutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

const isValid = (path: string, text: string): boolean => {
  const { parseDiagnostics } = parse(path, text) as ts.SourceFile & { readonly parseDiagnostics: readonly unknown[] };
  return parseDiagnostics.length === 0;
};

/** Every mutant of a file that a parser accepts, in the order of their places. */
export const mutantsOf = (path: string, text: string): Mutant[] => {
  const file = parse(path, text);
  const found: Mutant[] = [];
  const visit = (node: ts.Node, parent?: ts.Node): void => {
    if (isSkipped(node, file)) return;
    const [start, end] = [node.getStart(file), node.end];
    if (!isNameOfMember(node, parent)) {
      for (const { operator, text: replacement } of replacementsOf(node, file))
        found.push({ file: path, line: toLine(file, start), operator, start, end, replacement });
    }
    node.forEachChild((child) => visit(child, node));
  };
  visit(file);
  return found.filter((mutant) => isValid(path, toMutated(text, mutant)));
};

/** What a mutant changes, as lines of the file before and after. */
export const toChange = (text: string, mutant: Mutant): Change => {
  const mutated = toMutated(text, mutant);
  let [start, end] = [mutant.start, mutant.end];
  const growth = mutated.length - text.length;
  // A condition is changed within a statement of many lines, of which only its own are shown.
  while (start < end && start < end + growth && text[start] === mutated[start]) start += 1;
  while (end > start && end + growth > start && text[end - 1] === mutated[end + growth - 1]) end -= 1;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const until = to < 0 ? text.length : to;
  return { before: text.slice(from, until).trim(), after: mutated.slice(from, until + growth).trim() };
};

/**
 * As many mutants of files as are wanted, at most one in a line. Only the seed decides which, and the order.
 * @param texts the files' texts by their paths
 */
export const chooseMutants = (texts: ReadonlyMap<string, string>, count: number, seed: number): Mutant[] => {
  const all = [...texts].flatMap(([path, text]) => mutantsOf(path, text));
  const lines = new Set<string>();
  const chosen = shuffle(all, seed).filter(({ file, line }) => {
    const place = `${file}:${line}`;
    return !lines.has(place) && lines.add(place);
  });
  return chosen.slice(0, count);
};

// The imports between files of the repository, and the cycles among them.
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT, readSource, scripts } from './sources.ts';

/** The syntax tree of a source file, by its path from the root. */
export const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readSource(path), ts.ScriptTarget.Latest, true);

/** Calls `onNode` for a node and all of its descendants. */
export const visit = (node: ts.Node, onNode: (node: ts.Node) => void): void => {
  onNode(node);
  node.forEachChild((child) => visit(child, onNode));
};

const toSpecifier = (node: ts.Node): string | undefined => {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return (node.moduleSpecifier as ts.StringLiteral).text;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return (node.argument.literal as ts.StringLiteral).text;
  }
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const argument = isDynamic ? node.arguments[0] : undefined;
  return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
};

/** What a file imports, types included, as its import statements name it. */
export const importsOf = (path: string): string[] => {
  const found: string[] = [];
  visit(parse(path), (node) => {
    const specifier = toSpecifier(node);
    if (specifier !== undefined) found.push(specifier);
  });
  return found;
};

/** The path from the root that a relative import of `path` names. */
export const toTarget = (path: string, specifier: string): string =>
  relative(ROOT, resolve(ROOT, dirname(path), specifier));

/** Every file with the files of the repository that it imports. */
export const readImportGraph = (): Map<string, string[]> =>
  new Map(
    scripts.map((path) => [
      path,
      importsOf(path)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => toTarget(path, specifier)),
    ]),
  );

/** One cycle of a graph as the names along it, the first again at its end; undefined when there is none. */
export const findCycle = (graph: ReadonlyMap<string, readonly string[]>): string[] | undefined => {
  const finished = new Set<string>();
  const trail: string[] = [];
  const walk = (name: string): string[] | undefined => {
    if (finished.has(name)) return undefined;
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    trail.push(name);
    for (const next of graph.get(name) ?? []) {
      const cycle = walk(next);
      if (cycle !== undefined) return cycle;
    }
    trail.pop();
    finished.add(name);
    return undefined;
  };
  for (const name of graph.keys()) {
    const cycle = walk(name);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
};

// The syntax trees of source files, read once from the first token to the last.
import ts from 'typescript';

/** Positions in a text; the end is exclusive. */
export type Range = readonly [start: number, end: number];

/** What a reader of a tree gets of each node: the node, and the nodes around it, the outermost first. */
export type OnNode = (node: ts.Node, around: readonly ts.Node[]) => void;

/** The syntax tree of a text. Its nodes don't know their parents, and documentation is not parsed: both take long. */
export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });

/** Calls `onNode` for each node of a tree, in their order in the text. */
export const walk = (file: ts.SourceFile, onNode: OnNode): void => {
  const around: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    onNode(node, around);
    around.push(node);
    node.forEachChild(visit);
    around.pop();
  };
  visit(file);
};

/** The line of a position, counted from 1. */
export const toLine = (file: ts.SourceFile, position: number): number =>
  file.getLineAndCharacterOfPosition(position).line + 1;

/** Whether a condition holds for a node or for one within it. */
export const contains = (node: ts.Node, condition: (node: ts.Node) => boolean): boolean =>
  condition(node) || (node.forEachChild((child) => contains(child, condition) || undefined) ?? false);

/** `f` of `f()` and of `a.f()`. */
export const calledName = (node: ts.Node): string | undefined => {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
};

/** Whether a node is `object.name`. */
export const isMember = (node: ts.Node, object: string, name: string): boolean =>
  ts.isPropertyAccessExpression(node) &&
  node.name.text === name &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === object;

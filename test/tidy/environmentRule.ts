// The rule that tests restore the environment of their process.
import ts from 'typescript';
import { calledName, isMember, walk } from './syntax.ts';

const isEnvironment = (node: ts.Node): boolean => isMember(node, 'process', 'env');

const isOfEnvironment = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) && isEnvironment(node.expression);

// `=`, `??=`, `||=` and the others.
const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Whether a node changes the environment of the process. */
export const changesEnvironment = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node) &&
    isAssignment(node.operatorToken.kind) &&
    (isEnvironment(node.left) || isOfEnvironment(node.left))) ||
  (ts.isDeleteExpression(node) && isOfEnvironment(node.expression)) ||
  (ts.isCallExpression(node) && isMember(node.expression, 'Object', 'assign') && isEnvironment(node.arguments[0]!));

const isAfterTests = (around: readonly ts.Node[]): boolean =>
  around.some(
    (outer, index) =>
      /^(?:after(?:Each)?|finally)$/.test(calledName(outer) ?? '') ||
      (ts.isTryStatement(outer) && outer.finallyBlock !== undefined && around[index + 1] === outer.finallyBlock),
  );

/** Whether a file changes the environment after its tests too, or calls there a function that does. */
export const restoresEnvironment = (file: ts.SourceFile): boolean => {
  const changing = new Set<string>();
  const calledAfter = new Set<string>();
  let isRestored = false;
  walk(file, (node, around) => {
    if (changesEnvironment(node)) {
      isRestored ||= isAfterTests(around);
      for (const outer of around) {
        if (ts.isVariableDeclaration(outer) && ts.isIdentifier(outer.name)) changing.add(outer.name.text);
      }
    }
    const name = calledName(node);
    if (name !== undefined && isAfterTests(around)) calledAfter.add(name);
  });
  return isRestored || [...changing].some((name) => calledAfter.has(name));
};

// The rule that no test expects a duration to be below a number.
import ts from 'typescript';
import { calledName, contains, isMember, walk } from './syntax.ts';

const CLOCKS = [
  ['performance', 'now'],
  ['Date', 'now'],
  ['process', 'hrtime'],
] as const;

// `process.hrtime.bigint()` has a clock within it.
const isClock = (node: ts.Node): boolean => CLOCKS.some(([object, name]) => isMember(node, object, name));

const isNameOf =
  (names: ReadonlySet<string>) =>
  (node: ts.Node): boolean =>
    ts.isIdentifier(node) && names.has(node.text);

// A difference of which one side, or a name for it, is a moment.
const isElapsedWith =
  (moments: ReadonlySet<string>) =>
  (node: ts.Node): boolean => {
    const isMoment = (part: ts.Node): boolean => isClock(part) || isNameOf(moments)(part);
    return (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.MinusToken &&
      (contains(node.left, isMoment) || contains(node.right, isMoment))
    );
  };

// The names of moments: `const endMs = Date.now()`.
const momentsOf = (file: ts.SourceFile): Set<string> => {
  const names = new Set<string>();
  walk(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) return;
    if (ts.isCallExpression(node.initializer) && contains(node.initializer.expression, isClock))
      names.add(node.name.text);
  });
  return names;
};

// What a function returns, or the value itself.
const valuesOf = (value: ts.Expression): readonly ts.Node[] => {
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value)) return [value];
  if (!ts.isBlock(value.body)) return [value.body];
  return value.body.statements.filter(ts.isReturnStatement);
};

// The names of durations, and of functions that measure one.
const durationsOf = (file: ts.SourceFile, isElapsed: (node: ts.Node) => boolean): Set<string> => {
  const names = new Set<string>();
  walk(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) return;
    if (valuesOf(node.initializer).some((value) => contains(value, isElapsed))) names.add(node.name.text);
  });
  return names;
};

const UPPER_BOUNDS = /^(?:below|lessThan|lt|lte|most|lessThanOrEqual|within|closeTo|approximately)$/;

// `expect(value)` at the beginning of `expect(value).to.be.below(3)`.
const expectedIn = (node: ts.Expression): ts.Expression | undefined => {
  if (ts.isPropertyAccessExpression(node)) return expectedIn(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  return calledName(node) === 'expect' ? node.arguments[0] : expectedIn(node.expression);
};

const BELOW = [ts.SyntaxKind.LessThanToken, ts.SyntaxKind.LessThanEqualsToken];

// `expect(endMs - beganMs < 40)`: the bound is in the value.
const isBelow =
  (isDuration: (node: ts.Node) => boolean) =>
  (node: ts.Node): boolean =>
    ts.isBinaryExpression(node) && BELOW.includes(node.operatorToken.kind) && contains(node.left, isDuration);

/** Whether a node of a file expects a duration, measured by a clock, to be below a number. */
export const boundsElapsed = (file: ts.SourceFile): ((node: ts.Node) => boolean) => {
  if (!/\b(?:performance|Date|process)\.(?:now|hrtime)\b/.test(file.text)) return () => false;
  const isElapsed = isElapsedWith(momentsOf(file));
  const durations = durationsOf(file, isElapsed);
  const isDuration = (node: ts.Node): boolean => isElapsed(node) || isNameOf(durations)(node);
  return (node) => {
    if (!ts.isCallExpression(node)) return false;
    if (calledName(node) === 'expect') return node.arguments.some((value) => contains(value, isBelow(isDuration)));
    if (!UPPER_BOUNDS.test(calledName(node) ?? '')) return false;
    const expected = expectedIn(node.expression);
    return expected !== undefined && contains(expected, isDuration);
  };
};

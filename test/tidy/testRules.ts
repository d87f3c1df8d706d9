// Rules for the files in test/: what makes a test fail, or pass, for a reason that is not a defect.
import ts from 'typescript';
import { contains, type Range, toLine, walk } from './syntax.ts';

/** What each rule refuses, and what takes its place. */
export const RULES = {
  clock: 'waits by the clock: use until() or delay() of test/support/until.ts',
  elapsed: 'has an upper bound on elapsed time: assert what happened instead, a busy machine is slow',
  environment: 'changes process.env and restores it in no after(), afterEach() or finally',
  port: 'listens on a fixed port: use port 0',
  directory: 'uses a directory that other processes use: make one with mkdtemp()',
  timeout: 'has a timeout without a comment beside it that says why',
  characters: 'builds a table of all characters, which takes a second: use codePoints of test/support/codePoints.ts',
  skip: 'skips without saying what is missing: use skipWithout() of test/support/missing.ts',
  runs: 'has a number of runs that is not given by runs() of test/support/propertyRuns.ts',
  mocks: 'restores every mock of the process, in the order of their beginnings: restore each mock by itself',
} as const;

export type Rule = keyof typeof RULES;

export interface Breach {
  readonly rule: Rule;
  readonly line: number;
}

interface Place {
  readonly file: ts.SourceFile;
  /** The nodes around the node, the outermost first. */
  readonly around: readonly ts.Node[];
  readonly comments: readonly Range[];
}

type Test = (node: ts.Node, place: Place) => boolean;

// `f` of `f()` and of `a.f()`.
const calledName = (node: ts.Node): string | undefined => {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
};

// `a.b` of the expression of a property.
const isMember = (node: ts.Node, object: string, name: string): boolean =>
  ts.isPropertyAccessExpression(node) &&
  node.name.text === name &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === object;

const WAITS = ['setTimeout', 'sleep'];

// A method of that name is the one of a socket.
const callsTimer: Test = (node) =>
  ts.isCallExpression(node) &&
  ((ts.isIdentifier(node.expression) && WAITS.includes(node.expression.text)) ||
    WAITS.some((name) => isMember(node.expression, 'globalThis', name)));

// Under another name too. A turn of the event loop, `setImmediate`, waits for no clock.
const importsTimer: Test = (node) => {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  if (!/^(?:node:)?timers(?:\/promises)?$/.test(node.moduleSpecifier.text)) return false;
  const names = node.importClause?.namedBindings;
  return (
    names === undefined ||
    !ts.isNamedImports(names) ||
    names.elements.some(({ propertyName, name }) => (propertyName ?? name).text !== 'setImmediate')
  );
};

const isPort = (node: ts.Node): boolean => ts.isNumericLiteral(node) && Number(node.text) !== 0;

const hasPort = (node: ts.Node): boolean =>
  isPort(node) ||
  (ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (member) =>
        ts.isPropertyAssignment(member) &&
        ts.isIdentifier(member.name) &&
        member.name.text === 'port' &&
        isPort(member.initializer),
    ));

const listensOnFixedPort: Test = (node) =>
  calledName(node) === 'listen' && (node as ts.CallExpression).arguments.some(hasPort);

const namesSharedDirectory: Test = (node) =>
  (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)) &&
  /^(?:\/var)?\/tmp\//.test(node.text);

const usesSharedDirectory: Test = (node, { around }) =>
  calledName(node) === 'tmpdir' && !around.some((outer) => calledName(outer)?.startsWith('mkdtemp'));

const hasBareTimeout: Test = (node, { file, comments }) => {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.PropertyAccessExpression) return false;
  const { expression, name } = node.expression as ts.PropertyAccessExpression;
  if (expression.kind !== ts.SyntaxKind.ThisKeyword || name.text !== 'timeout' || node.arguments.length === 0)
    return false;
  const line = toLine(file, node.getStart(file));
  return !comments.some(([start, end]) => toLine(file, start) === line || toLine(file, end) === line - 1);
};

const hasBareRuns: Test = (node, { around }) =>
  (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
  ts.isIdentifier(node.name) &&
  node.name.text === 'numRuns' &&
  around.some((outer) => ts.isCallExpression(outer) && isMember(outer.expression, 'fc', 'assert'));

const isSkip: Test = (node) => calledName(node) === 'skip';

// Also those of files that ran before: a mock of a mock, which ended long ago, would become a global again.
const restoresAllMocks: Test = (node) => calledName(node) === 'restoreAll';

const buildsTable: Test = (node) =>
  ts.isPropertyAssignment(node) &&
  ts.isIdentifier(node.name) &&
  /^(?:unit|stringUnit)$/.test(node.name.text) &&
  ts.isStringLiteral(node.initializer) &&
  node.initializer.text === 'binary';

const isClock = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (isMember(node.expression, 'performance', 'now') || isMember(node.expression, 'Date', 'now'));

const isElapsed = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.MinusToken &&
  (contains(node.left, isClock) || contains(node.right, isClock));

// What a function returns, or the value itself.
const valuesOf = (value: ts.Expression): readonly ts.Node[] => {
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value)) return [value];
  if (!ts.isBlock(value.body)) return [value.body];
  return value.body.statements.filter(ts.isReturnStatement);
};

// The names of durations, and of functions that measure one.
const durationsOf = (file: ts.SourceFile): Set<string> => {
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

const boundsElapsed = (durations: ReadonlySet<string>): Test => {
  const isDuration = (node: ts.Node): boolean => isElapsed(node) || (ts.isIdentifier(node) && durations.has(node.text));
  return (node) => {
    if (!ts.isCallExpression(node) || !UPPER_BOUNDS.test(calledName(node) ?? '')) return false;
    const expected = expectedIn(node.expression);
    return expected !== undefined && contains(expected, isDuration);
  };
};

const isEnvironment = (node: ts.Node): boolean => isMember(node, 'process', 'env');

const isOfEnvironment = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) && isEnvironment(node.expression);

const changesEnvironment = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    (isEnvironment(node.left) || isOfEnvironment(node.left))) ||
  (ts.isDeleteExpression(node) && isOfEnvironment(node.expression)) ||
  (ts.isCallExpression(node) && isMember(node.expression, 'Object', 'assign') && isEnvironment(node.arguments[0]!));

const isAfterTests = (around: readonly ts.Node[]): boolean =>
  around.some(
    (outer, index) =>
      /^(?:after(?:Each)?|finally)$/.test(calledName(outer) ?? '') ||
      (ts.isTryStatement(outer) && outer.finallyBlock !== undefined && around[index + 1] === outer.finallyBlock),
  );

// Whether a file changes the environment after its tests too, or calls there a function that does.
const restoresEnvironment = (file: ts.SourceFile): boolean => {
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

const testsFor = (file: ts.SourceFile): Record<Rule, Test> => {
  const durations = /\b(?:performance|Date)\.now\b/.test(file.text) ? durationsOf(file) : new Set<string>();
  const isRestored = !file.text.includes('process.env') || restoresEnvironment(file);
  return {
    clock: (node, place) => callsTimer(node, place) || importsTimer(node, place),
    elapsed: boundsElapsed(durations),
    environment: (node) => !isRestored && changesEnvironment(node),
    port: listensOnFixedPort,
    directory: (node, place) => namesSharedDirectory(node, place) || usesSharedDirectory(node, place),
    timeout: hasBareTimeout,
    characters: buildsTable,
    runs: hasBareRuns,
    skip: isSkip,
    mocks: restoresAllMocks,
  };
};

/** Where a file of tests breaks a rule, in the order of its lines. */
export const breachesOf = (file: ts.SourceFile, comments: readonly Range[]): Breach[] => {
  const tests = Object.entries(testsFor(file)) as [Rule, Test][];
  const found: Breach[] = [];
  walk(file, (node, around) => {
    for (const [rule, breaks] of tests) {
      if (breaks(node, { file, around, comments })) found.push({ rule, line: toLine(file, node.getStart(file)) });
    }
  });
  return found;
};

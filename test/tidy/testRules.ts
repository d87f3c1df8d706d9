// Rules for the files in test/: what makes a test fail, or pass, for a reason that is not a defect.
import ts from 'typescript';
import { boundsElapsed } from './elapsedRule.ts';
import { changesEnvironment, restoresEnvironment } from './environmentRule.ts';
import { calledName, isMember, type Range, toLine, walk } from './syntax.ts';

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
  retries: 'repeats a test that failed: find out why it did',
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

const WAITS = ['setTimeout', 'setInterval', 'sleep'];
const GLOBALS = ['globalThis', 'global'];

// `setTimeout` by itself, called or handed on, and as a member of the global object. A method of that name is the one
// of a socket or of a page.
const usesTimer: Test = (node, { around }) => {
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteral(node.argumentExpression) && WAITS.includes(node.argumentExpression.text);
  if (!ts.isIdentifier(node) || !WAITS.includes(node.text)) return false;
  const parent = around.at(-1)!;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return GLOBALS.some((object) => isMember(parent, object, node.text));
  return ts.isCallExpression(parent) || ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
};

const isWait: Test = (node) =>
  ts.isCallExpression(node) && (isMember(node.expression, 'Atomics', 'wait') || calledName(node) === 'waitForTimeout');

const TIMERS = /^(?:node:)?timers(?:\/promises)?$/;

const isTimers = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isStringLiteral(node) && TIMERS.test(node.text);

// Under another name too. A turn of the event loop, `setImmediate`, waits for no clock.
const importsTimer: Test = (node) => {
  if (ts.isCallExpression(node))
    return node.expression.kind === ts.SyntaxKind.ImportKeyword && isTimers(node.arguments[0]);
  if (!ts.isImportDeclaration(node) || !isTimers(node.moduleSpecifier)) return false;
  const names = node.importClause?.namedBindings;
  return (
    names === undefined ||
    !ts.isNamedImports(names) ||
    names.elements.some(({ propertyName, name }) => (propertyName ?? name).text !== 'setImmediate')
  );
};

// The names of numbers that a file names: `const PORT = 8080`.
const numbersOf = (file: ts.SourceFile): Set<string> => {
  const names = new Set<string>();
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isNumber(node.initializer))
      names.add(node.name.text);
  });
  return names;
};

const isNumber = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isNumericLiteral(node) && Number(node.text.replaceAll('_', '')) !== 0;

const listensOnFixedPort = (file: ts.SourceFile): Test => {
  if (!/\blisten\b/.test(file.text)) return () => false;
  const numbers = numbersOf(file);
  const isPort = (node: ts.Node): boolean => isNumber(node) || (ts.isIdentifier(node) && numbers.has(node.text));
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
  return (node) => calledName(node) === 'listen' && (node as ts.CallExpression).arguments.some(hasPort);
};

const namesSharedDirectory: Test = (node) =>
  (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node)) &&
  /^(?:\/var)?\/tmp(?:\/|$)/.test(node.text);

const usesSharedDirectory: Test = (node, { around }) =>
  calledName(node) === 'tmpdir' && !around.some((outer) => calledName(outer)?.startsWith('mkdtemp'));

// `it` of `it('title', test)` and of `it.each(...)`.
const calledFirst = (node: ts.Expression): ts.Expression =>
  ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? calledFirst(node.expression) : node;

const TESTS = /^(?:it|describe|context|specify|before|after|beforeEach|afterEach)$/;

const isOfTest = (node: ts.Expression): boolean => {
  const first = calledFirst(node);
  return first.kind === ts.SyntaxKind.ThisKeyword || (ts.isIdentifier(first) && TESTS.test(first.text));
};

// A method of a test: `this.timeout(5)`, `it('title', test).timeout(5)`.
const callsOfTest = (node: ts.Node, name: string): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  node.arguments.length > 0 &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === name &&
  isOfTest(node.expression.expression);

const hasBareTimeout: Test = (node, { file, comments }) => {
  if (!callsOfTest(node, 'timeout')) return false;
  const lines = [toLine(file, node.getStart(file)), toLine(file, node.end)];
  return !comments.some(
    ([start, end]) =>
      /\w/.test(file.text.slice(start, end)) &&
      (lines.includes(toLine(file, start)) || toLine(file, end) === lines[0]! - 1),
  );
};

const repeatsTest: Test = (node) => callsOfTest(node, 'retries');

const hasBareRuns: Test = (node, { around }) =>
  (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
  ts.isIdentifier(node.name) &&
  node.name.text === 'numRuns' &&
  around.some((outer) => ts.isCallExpression(outer) && isMember(outer.expression, 'fc', 'assert'));

const SKIPPED = /^(?:skip|xit|xdescribe|xcontext|xspecify)$/;

// A title without a test is skipped, too.
const isSkip: Test = (node) =>
  SKIPPED.test(calledName(node) ?? '') ||
  (ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^(?:it|specify)$/.test(node.expression.text) &&
    node.arguments.length === 1);

// Also those of files that ran before: a mock of a mock, which ended long ago, would become a global again.
const restoresAllMocks: Test = (node) => calledName(node) === 'restoreAll';

const buildsTable: Test = (node) =>
  ts.isPropertyAssignment(node) &&
  ts.isIdentifier(node.name) &&
  /^(?:unit|stringUnit)$/.test(node.name.text) &&
  ts.isStringLiteral(node.initializer) &&
  node.initializer.text === 'binary';

const testsFor = (file: ts.SourceFile): Record<Rule, Test> => {
  const isRestored = !file.text.includes('process.env') || restoresEnvironment(file);
  return {
    clock: (node, place) => [usesTimer, isWait, importsTimer].some((waits) => waits(node, place)),
    elapsed: boundsElapsed(file),
    environment: (node) => !isRestored && changesEnvironment(node),
    port: listensOnFixedPort(file),
    directory: (node, place) => namesSharedDirectory(node, place) || usesSharedDirectory(node, place),
    timeout: hasBareTimeout,
    characters: buildsTable,
    runs: hasBareRuns,
    skip: isSkip,
    retries: repeatsTest,
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

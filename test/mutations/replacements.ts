// The small faults that a place in a program can have: each is another text in its place.
import ts from 'typescript';

/** Another text for a node. */
export interface Replacement {
  /** What kind of fault it is. */
  readonly operator: string;
  readonly text: string;
}

type Replace = (node: ts.Node, file: ts.SourceFile) => readonly Replacement[];

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
};

/** Methods that another one can stand for. */
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  find: 'findLast',
  findLast: 'find',
  floor: 'ceil',
  ceil: 'floor',
};

/** Methods whose result is of the kind of what they are called on. */
const OPTIONAL_METHODS = new Set([
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
  'trimEnd',
  'toLowerCase',
  'toUpperCase',
  'flat',
  'concat',
  'subarray',
]);

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);

const replaceOperator: Replace = (node, file) => {
  if (!ts.isBinaryExpression(node)) return [];
  const operator = node.operatorToken.getText(file);
  if (/^\+=?$/.test(operator) && (isText(node.left) || isText(node.right))) return [];
  const { left, right } = node;
  return (OPERATORS[operator] ?? []).map((other) => ({
    operator: `${operator} to ${other}`,
    text:
      file.text.slice(left.getStart(file), left.end) +
      file.text.slice(left.end, node.operatorToken.getStart(file)) +
      other +
      file.text.slice(node.operatorToken.end, right.end),
  }));
};

const conditionOf = (node: ts.Node): ts.Expression | undefined => {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
};

const negateCondition: Replace = (node, file) => {
  const condition = conditionOf(node);
  if (condition === undefined) return [];
  const [start, end] = [condition.getStart(file) - node.getStart(file), condition.end - node.getStart(file)];
  const text = node.getText(file);
  return [
    { operator: 'negated condition', text: `${text.slice(0, start)}!(${text.slice(start, end)})${text.slice(end)}` },
  ];
};

const isExit = (statement: ts.Statement): boolean => {
  if (ts.isBlock(statement)) return statement.statements.length > 0 && isExit(statement.statements.at(-1)!);
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  );
};

const removeExit: Replace = (node) =>
  ts.isIfStatement(node) && node.elseStatement === undefined && isExit(node.thenStatement)
    ? [{ operator: 'removed early exit', text: ';' }]
    : [];

const removeStatement: Replace = (node) =>
  ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)
    ? [{ operator: 'removed statement', text: ';' }]
    : [];

// The next statement no longer waits for this one.
const removeAwait: Replace = (node, file) =>
  ts.isExpressionStatement(node) && ts.isAwaitExpression(node.expression)
    ? [{ operator: 'removed await', text: `void ${node.expression.expression.getText(file)};` }]
    : [];

const changeLiteral: Replace = (node, file) => {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ operator: 'true to false', text: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ operator: 'false to true', text: 'true' }];
  const digits = node.getText(file).replaceAll('_', '');
  if (ts.isBigIntLiteral(node)) return [{ operator: 'off by one', text: `${BigInt(digits.slice(0, -1)) + 1n}n` }];
  return ts.isNumericLiteral(node) ? [{ operator: 'off by one', text: String(Number(digits) + 1) }] : [];
};

// A text with a space is for people.
const emptyLiteral: Replace = (node) => {
  if (ts.isStringLiteral(node) && node.text !== '' && !node.text.includes(' '))
    return [{ operator: 'emptied text', text: "''" }];
  return ts.isArrayLiteralExpression(node) && node.elements.length > 0
    ? [{ operator: 'emptied list', text: '[]' }]
    : [];
};

const removeNegation: Replace = (node, file) => {
  if (!ts.isPrefixUnaryExpression(node)) return [];
  const operand = node.operand.getText(file);
  if (node.operator === ts.SyntaxKind.ExclamationToken) return [{ operator: 'removed !', text: operand }];
  return node.operator === ts.SyntaxKind.MinusToken ? [{ operator: 'removed minus', text: operand }] : [];
};

const removeOptionalChain: Replace = (node, file) =>
  ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined
    ? [
        {
          operator: 'removed optional chain',
          text: `${node.expression.getText(file)}.${node.name.getText(file)}`,
        },
      ]
    : [];

const changeMethod: Replace = (node, file) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: object, name } = node.expression;
  const start = node.getStart(file);
  const text = node.getText(file);
  const found: Replacement[] = [];
  const other = METHODS[name.text];
  if (other !== undefined && Object.hasOwn(METHODS, name.text))
    found.push({
      operator: `${name.text} to ${other}`,
      text: text.slice(0, name.getStart(file) - start) + other + text.slice(name.end - start),
    });
  if (OPTIONAL_METHODS.has(name.text)) found.push({ operator: `removed ${name.text}`, text: object.getText(file) });
  return found;
};

const REPLACES: readonly Replace[] = [
  replaceOperator,
  negateCondition,
  removeExit,
  removeStatement,
  removeAwait,
  changeLiteral,
  emptyLiteral,
  removeNegation,
  removeOptionalChain,
  changeMethod,
];

/** The faults that a node itself can have, those of the nodes in it not included. */
export const replacementsOf: Replace = (node, file) => REPLACES.flatMap((replace) => replace(node, file));

// What the tidy test asks of a TypeScript or JavaScript file. One pass over its syntax tree answers all of it, because
// parsing all files is what this test spends its time on.
import ts from 'typescript';
import { type OnNode, parse, type Range, toLine, walk } from './syntax.ts';
import { type Breach, breachesOf } from './testRules.ts';

export interface ScriptFacts {
  /** What its import statements name, types included. */
  readonly imports: readonly string[];
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
  /** The names that it exports, each once. */
  readonly exports: readonly string[];
  readonly comments: readonly Range[];
  /** Where it breaks a rule for tests; nowhere when it is no test. */
  readonly breaches: readonly Breach[];
}

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

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

// A type and a function of one file may share a name.
const exportsOf = (file: ts.SourceFile): string[] => {
  const declarations = file.statements
    .filter(isExported)
    .flatMap((statement): readonly ts.Node[] =>
      ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement],
    );
  const names = declarations.map((declaration) =>
    'name' in declaration ? (declaration.name as ts.Node).getText(file) : '',
  );
  return [...new Set(names)];
};

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node);

// Outside of texts, the mark of a comment begins one.
const commentsBetween = (text: string, texts: readonly Range[]): Range[] => {
  const found: Range[] = [];
  const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  let next = 0;
  for (let match = comment.exec(text); match !== null; match = comment.exec(text)) {
    const start = match.index;
    while (next < texts.length && texts[next]![1] <= start) next++;
    if (next < texts.length && texts[next]![0] <= start) comment.lastIndex = texts[next]![1];
    else found.push([start, comment.lastIndex]);
  }
  return found;
};

const readFacts = (path: string, text: string): ScriptFacts => {
  const file = parse(path, text);
  const imports: string[] = [];
  const functions: { line: number; lines: number }[] = [];
  const texts: Range[] = [];
  const onNode: OnNode = (node) => {
    if (isText(node)) texts.push([node.getStart(file), node.end]);
    const specifier = toSpecifier(node);
    if (specifier !== undefined) imports.push(specifier);
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const line = toLine(file, node.getStart(file));
    functions.push({ line, lines: toLine(file, node.end) - line + 1 });
  };
  walk(file, onNode);
  const comments = commentsBetween(text, texts);
  const breaches = path.startsWith('test/') ? breachesOf(file, comments) : [];
  return { imports, functions, exports: exportsOf(file), comments, breaches };
};

const known = new Map<string, { readonly text: string; readonly facts: ScriptFacts }>();

/** The facts of a script. Those of a path are kept until they are asked for with another text. */
export const factsOf = (path: string, text: string): ScriptFacts => {
  const kept = known.get(path);
  if (kept?.text === text) return kept.facts;
  const facts = readFacts(path, text);
  known.set(path, { text, facts });
  return facts;
};

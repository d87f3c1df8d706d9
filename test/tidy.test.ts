// The house rules that a machine can keep: who may import whom, how long a function and a file may be, no leftovers.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const FUNCTION_LINES_MAX = 70;
const FUNCTION_LINES_MEDIAN_MAX = 10;
const FILE_LINES_MAX = 300;

// design.md section 7. Node's own modules are named one by one where a room may touch only some of the outside.
const PURE_NODE: readonly string[] = [];
const RULES: Record<
  string,
  { folders: readonly string[]; packages: readonly string[] | 'any'; node: readonly string[] | 'any' }
> = {
  ledger: { folders: ['ledger'], packages: ['canonicalize', 'hash-wasm'], node: PURE_NODE },
  chain: { folders: ['ledger', 'chain'], packages: 'any', node: 'any' },
  indexer: { folders: ['ledger', 'indexer', 'chain/port.ts'], packages: ['level'], node: ['node:zlib'] },
  server: { folders: ['ledger', 'server', 'chain/port.ts', 'indexer/ledgerView.ts'], packages: 'any', node: 'any' },
};

const trackedFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const sources = trackedFiles.filter((path) => /\.(ts|js|sol)$/.test(path) && !path.endsWith('.gen.ts'));
const scripts = sources.filter((path) => !path.endsWith('.sol'));

const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);

const visit = (node: ts.Node, see: (node: ts.Node) => void): void => {
  see(node);
  node.forEachChild((child) => visit(child, see));
};

const toSpecifier = (node: ts.Node): string | undefined => {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return (node.moduleSpecifier as ts.StringLiteral).text;
  }
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? (node.arguments[0] as ts.StringLiteral).text : undefined;
};

const importsOf = (path: string): string[] => {
  const found: string[] = [];
  visit(parse(path), (node) => {
    const specifier = toSpecifier(node);
    if (specifier !== undefined) found.push(specifier);
  });
  return found;
};

const toPackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const isAllowed = (path: string, specifier: string): boolean => {
  const rule = RULES[path.split('/')[0]!];
  if (rule === undefined) return true;
  if (specifier.startsWith('node:')) return rule.node === 'any' || rule.node.includes(specifier);
  if (!specifier.startsWith('.')) return rule.packages === 'any' || rule.packages.includes(toPackage(specifier));
  const target = relative(root, resolve(root, dirname(path), specifier));
  return rule.folders.some((folder) => target === folder || target.startsWith(`${folder}/`));
};

const lineOf = (file: ts.SourceFile, position: number): number => file.getLineAndCharacterOfPosition(position).line;

const functionsOf = (path: string): { where: string; lines: number }[] => {
  const file = parse(path);
  const found: { where: string; lines: number }[] = [];
  visit(file, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = lineOf(file, node.getStart());
    found.push({ where: `${path}:${first + 1}`, lines: lineOf(file, node.end) - first + 1 });
  });
  return found;
};

const isSuite = (path: string): boolean => path.startsWith('test/');

describe('the tree', () => {
  it('has no import against the table of design.md section 7', () => {
    const wrong = scripts.flatMap((path) =>
      importsOf(path)
        .filter((specifier) => !isAllowed(path, specifier))
        .map((specifier) => `${path} imports ${specifier}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('checks imports with a table that can refuse', () => {
    expect(isAllowed('ledger/encoding/digest.ts', 'node:fs')).to.equal(false);
    expect(isAllowed('ledger/encoding/digest.ts', '../../chain/port.ts')).to.equal(false);
    expect(isAllowed('indexer/store.ts', '../server/app.ts')).to.equal(false);
    expect(isAllowed('server/app.ts', '../indexer/store.ts')).to.equal(false);
    expect(isAllowed('indexer/follower.ts', '../chain/port.ts')).to.equal(true);
  });

  it('reads the environment in host/ and the commands alone', () => {
    const readers = scripts.filter(
      (path) =>
        !/^(?:host|scripts|setup|bench)\//.test(path) &&
        !isSuite(path) &&
        readFileSync(join(root, path), 'utf8').includes('process.env'),
    );
    expect(readers).to.deep.equal([]);
  });

  // A mocha suite is a function of functions; what counts there is each test.
  it(`has no function over ${FUNCTION_LINES_MAX} lines`, () => {
    const long = scripts
      .filter((path) => !isSuite(path))
      .flatMap(functionsOf)
      .filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long).to.deep.equal([]);
  });

  it(`has functions of a median under ${FUNCTION_LINES_MEDIAN_MAX} lines`, () => {
    const lines = scripts
      .filter((path) => !isSuite(path))
      .flatMap(functionsOf)
      .map((found) => found.lines)
      .sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).to.be.lessThan(FUNCTION_LINES_MEDIAN_MAX);
  });

  it(`has no source file over ${FILE_LINES_MAX} lines`, () => {
    const long = sources.filter(
      (path) => readFileSync(join(root, path), 'utf8').split('\n').length > FILE_LINES_MAX + 1,
    );
    expect(long).to.deep.equal([]);
  });

  it('has no focused test and no leftover note', () => {
    const marks = [/\b(?:describe|it)\.only\(/, /\bTO[D]O\b/, /\bFIX[M]E\b/];
    const marked = sources.filter((path) => marks.some((mark) => mark.test(readFileSync(join(root, path), 'utf8'))));
    expect(marked).to.deep.equal([]);
  });
});

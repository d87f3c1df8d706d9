// The conventions that a machine can check: import directions, sizes of functions and files, no leftovers.
import { expect } from 'chai';
import ts from 'typescript';
import { findCycle, importsOf, parse, readImportGraph, toTarget, visit } from './support/imports.ts';
import { readSource, scripts, sources } from './support/sources.ts';

const FUNCTION_LINES_MAX = 70;
const FUNCTION_LINES_MEDIAN_MAX = 10;
const FILE_LINES_MAX = 300;

interface Rule {
  /** Files, and folders that end with a slash. */
  readonly sources: readonly string[];
  readonly packages: readonly string[] | 'any';
  readonly node: readonly string[] | 'any';
}

const HOST = ['ledger/', 'chain/', 'indexer/', 'server/', 'host/'];

// The table of docs/ARCHITECTURE.md. What isn't in it (test/, and the configuration at the root) may import everything.
const RULES: Readonly<Record<string, Rule>> = {
  ledger: {
    sources: ['ledger/'],
    packages: ['@noble/curves', 'asn1js', 'canonicalize', 'hash-wasm', 'pkijs'],
    node: [],
  },
  chain: { sources: ['ledger/', 'chain/'], packages: 'any', node: 'any' },
  indexer: {
    sources: ['ledger/', 'indexer/', 'chain/port.ts'],
    packages: ['level'],
    node: ['node:timers/promises', 'node:zlib'],
  },
  server: {
    sources: [
      'ledger/',
      'server/',
      'chain/port.ts',
      'indexer/ledgerView.ts',
      'indexer/sharingView.ts',
      'indexer/sharedView.ts',
      'indexer/contributionView.ts',
      'indexer/feedView.ts',
      'indexer/treeView.ts',
    ],
    packages: 'any',
    node: 'any',
  },
  explorer: {
    sources: ['explorer/', 'ledger/', 'server/openapi/api.gen.ts'],
    packages: [
      '@noble/hashes',
      '@preact/signals',
      'd3-geo',
      'eventsource-parser',
      'oauth4webapi',
      'openapi-fetch',
      'preact',
      'preact-iso',
      'papaparse',
      'topojson-client',
      'topojson-specification',
      'uplot',
      'uqr',
      'world-atlas',
    ],
    node: [],
  },
  host: { sources: HOST, packages: 'any', node: 'any' },
  scripts: { sources: ['host/', 'setup/', 'scripts/'], packages: 'any', node: 'any' },
  // It runs before any package is installed.
  setup: { sources: ['setup/'], packages: [], node: 'any' },
  bench: { sources: [...HOST, 'bench/'], packages: 'any', node: 'any' },
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
  const target = toTarget(path, specifier);
  return rule.sources.some((allowed) => (allowed.endsWith('/') ? target.startsWith(allowed) : target === allowed));
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

const isTest = (path: string): boolean => path.startsWith('test/');

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

// A type and a function of one file may share a name.
const exportedNames = (path: string): string[] => {
  const declarations = parse(path)
    .statements.filter(isExported)
    .flatMap((statement): readonly ts.Node[] =>
      ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement],
    );
  const names = declarations.map((declaration) =>
    'name' in declaration ? (declaration.name as ts.Node).getText() : '',
  );
  return [...new Set(names)];
};

describe('the repository', () => {
  it('has no import against the table of folders', () => {
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
    expect(isAllowed('explorer/pages/home.tsx', '../../server/app.ts')).to.equal(false);
    expect(isAllowed('host/openLedger.ts', '../scripts/start.ts')).to.equal(false);
    expect(isAllowed('bench/writes.ts', '../test/support/random.ts')).to.equal(false);
    expect(isAllowed('indexer/follower.ts', '../chain/port.ts')).to.equal(true);
  });

  it('has no import cycle, types included', () => {
    expect(findCycle(readImportGraph())).to.equal(undefined);
  });

  it('finds a cycle where there is one', () => {
    const graph = { a: ['b', 'd'], b: ['c'], c: ['b'], d: [] };
    expect(findCycle(new Map(Object.entries(graph)))).to.deep.equal(['b', 'c', 'b']);
    expect(findCycle(new Map(Object.entries({ ...graph, c: ['d'] })))).to.equal(undefined);
  });

  it('exports no name from two source files', () => {
    const own = scripts.filter((path) => !isTest(path));
    const exported = own.flatMap(exportedNames);
    expect(exported.length).to.be.greaterThan(100);
    expect(exported.filter((name, index) => exported.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('reads the environment in host/, in setup/ and in tests alone', () => {
    const readers = scripts.filter(
      (path) => !/^(?:host|setup)\//.test(path) && !isTest(path) && readSource(path).includes('process.env'),
    );
    expect(readers).to.deep.equal([]);
  });

  // A mocha suite is a function of functions; what counts there is each test.
  it(`has no function over ${FUNCTION_LINES_MAX} lines`, () => {
    const long = scripts
      .filter((path) => !isTest(path))
      .flatMap(functionsOf)
      .filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long).to.deep.equal([]);
  });

  it(`has functions of a median under ${FUNCTION_LINES_MEDIAN_MAX} lines`, () => {
    const lines = scripts
      .filter((path) => !isTest(path))
      .flatMap(functionsOf)
      .map((found) => found.lines)
      .sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).to.be.lessThan(FUNCTION_LINES_MEDIAN_MAX);
  });

  it(`has no source file over ${FILE_LINES_MAX} lines`, () => {
    const long = sources.filter((path) => readSource(path).split('\n').length > FILE_LINES_MAX + 1);
    expect(long).to.deep.equal([]);
  });

  it('has no focused test and no leftover note', () => {
    const marks = [/\b(?:describe|it)\.only\(/, /\bTO[D]O\b/, /\bFIX[M]E\b/];
    const marked = sources.filter((path) => marks.some((mark) => mark.test(readSource(path))));
    expect(marked).to.deep.equal([]);
  });
});

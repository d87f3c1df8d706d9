// The conventions that a machine can check: import directions, sizes of functions and files, no leftovers.
import { expect } from 'chai';
import { findAllowance } from './tidy/allowances.ts';
import { findCycle, toTarget } from './tidy/importGraph.ts';
import { factsOf, type ScriptFacts } from './tidy/scriptFacts.ts';
import { RULES as TEST_RULES, type Rule as TestRule } from './tidy/testRules.ts';
import { readTexts, scripts, sources, trackedFiles } from './tidy/trackedFiles.ts';

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
    sources: ['ledger/', 'indexer/', 'chain/port.ts', 'chain/sharedRuns.ts', 'chain/unprovenAuthor.ts'],
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

const isTest = (path: string): boolean => path.startsWith('test/');

const ofAll: ReadonlyMap<string, ScriptFacts> = new Map(scripts.map(([path, text]) => [path, factsOf(path, text)]));

// The scripts without a part in host/operator/ build files of this repository.
const isOfCommand = (path: string, text: string): boolean =>
  path.startsWith('host/') || (path.startsWith('scripts/') && text.includes("'../host/operator/"));

const HEAD_APART = /^(?:#!.*\n)?(?:\/\/.*\n)+\n+import\b/;

const IMPORTS_CONSOLE = /^import \{[^}]*\bconsole\b[^}]*\} from '[^']*\/commandProcess\.ts';$/m;

const writesToProcess = (path: string, text: string): boolean =>
  isOfCommand(path, text) &&
  (/\bstd(?:out|err)\.write\(/.test(text) || (/\bconsole\.\w+\(/.test(text) && !IMPORTS_CONSOLE.test(text)));

const ofProduct = [...ofAll].filter(([path]) => !isTest(path));

const functions = ofProduct.flatMap(([path, facts]) =>
  facts.functions.map(({ line, lines }) => ({ where: `${path}:${line}`, lines })),
);

const importGraph = (): Map<string, string[]> =>
  new Map(
    [...ofAll].map(([path, { imports }]) => [
      path,
      imports.filter((specifier) => specifier.startsWith('.')).map((specifier) => toTarget(path, specifier)),
    ]),
  );

describe('the repository', () => {
  it('has no import against the table of folders', () => {
    const wrong = [...ofAll].flatMap(([path, { imports }]) =>
      imports.filter((specifier) => !isAllowed(path, specifier)).map((specifier) => `${path} imports ${specifier}`),
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
    expect(findCycle(importGraph())).to.equal(undefined);
  });

  it('finds a cycle where there is one', () => {
    const graph = { a: ['b', 'd'], b: ['c'], c: ['b'], d: [] };
    expect(findCycle(new Map(Object.entries(graph)))).to.deep.equal(['b', 'c', 'b']);
    expect(findCycle(new Map(Object.entries({ ...graph, c: ['d'] })))).to.equal(undefined);
  });

  it('exports no name from two source files', () => {
    const exported = ofProduct.flatMap(([, { exports }]) => exports);
    expect(exported.length).to.be.greaterThan(100);
    expect(exported.filter((name, index) => exported.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('has no empty line between the comment at the top of a file and its imports', () => {
    expect(HEAD_APART.test("// What it is.\n\nimport 'a';")).to.equal(true);
    expect(HEAD_APART.test("// What it is.\nimport 'a';\n\nconst A = 1;")).to.equal(false);
    expect(scripts.filter(([, text]) => HEAD_APART.test(text)).map(([path]) => path)).to.deep.equal([]);
  });

  it('reads the environment in host/, in setup/ and in tests alone', () => {
    const readers = scripts.filter(
      ([path, text]) => !/^(?:host|setup)\//.test(path) && !isTest(path) && text.includes('process.env'),
    );
    expect(readers.map(([path]) => path)).to.deep.equal([]);
  });

  it('prints through the console of commandProcess.ts alone, which escapes, and has the output of the caller', () => {
    expect(writesToProcess('host/operator/a.ts', "console.error('x')")).to.equal(true);
    expect(writesToProcess('scripts/a.ts', "import '../host/operator/runCommand.ts';\nconsole.log(1);")).to.equal(true);
    expect(writesToProcess('scripts/a.ts', 'console.log(1);')).to.equal(false);
    expect(writesToProcess('host/openServer.ts', 'console.log(1);')).to.equal(true);
    expect(writesToProcess('host/demo/runDemo.ts', 'thisProcess().stdout.write(name);')).to.equal(true);
    const own = "import { console, thisProcess } from '../commandProcess.ts';\nconsole.log(1);";
    expect(writesToProcess('host/operator/a.ts', own)).to.equal(false);
    expect(scripts.filter((script) => writesToProcess(...script)).map(([path]) => path)).to.deep.equal([]);
  });

  // A mocha suite is a function of functions; what counts there is each test.
  it(`has no function over ${FUNCTION_LINES_MAX} lines`, () => {
    const long = functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long).to.deep.equal([]);
  });

  it(`has functions of a median under ${FUNCTION_LINES_MEDIAN_MAX} lines`, () => {
    const lines = functions.map((found) => found.lines).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).to.be.lessThan(FUNCTION_LINES_MEDIAN_MAX);
  });

  it(`has no source file over ${FILE_LINES_MAX} lines`, () => {
    const long = sources.filter(([, text]) => text.split('\n').length > FILE_LINES_MAX + 1);
    expect(long.map(([path]) => path)).to.deep.equal([]);
  });

  it('has no focused test and no leftover note', () => {
    const marks = [/\b(?:describe|it)\.only\(/, /\bTO[D]O\b/, /\bFIX[M]E\b/];
    const marked = sources.filter(([, text]) => marks.some((mark) => mark.test(text)));
    expect(marked.map(([path]) => path)).to.deep.equal([]);
  });

  it('finds its files where the path of the repository has a space', () => {
    const encoded = /import\.meta\.url\)\s*\.pathname/;
    expect(encoded.test("new URL('a.ts', import.meta.url).pathname")).to.equal(true);
    expect(
      scripts.filter(([path, text]) => path !== 'test/tidy.test.ts' && encoded.test(text)).map(([path]) => path),
    ).to.deep.equal([]);
  });

  it('is checked without the files that are not there', () => {
    expect([...readTexts(['package.json', 'test/gone.test.ts']).keys()]).to.deep.equal(['package.json']);
    expect(trackedFiles.size).to.be.greaterThan(1_000);
  });
});

describe('the tests of the repository', () => {
  for (const [rule, meaning] of Object.entries(TEST_RULES) as [TestRule, string][]) {
    it(`are free of what the rule "${rule}" refuses`, () => {
      const found = [...ofAll].flatMap(([path, { breaches }]) =>
        breaches
          .filter((breach) => breach.rule === rule && findAllowance(path, rule) === undefined)
          .map(({ line }) => `${path}:${line} ${meaning}`),
      );
      expect(found.join('\n')).to.equal('');
    });
  }
});

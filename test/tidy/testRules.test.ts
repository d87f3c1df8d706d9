// Each rule for tests refuses what it is for, and nothing else.
import { expect } from 'chai';
import { factsOf } from './scriptFacts.ts';
import type { Rule } from './testRules.ts';

const breachesIn = (text: string): [Rule, number][] =>
  factsOf('test/example.test.ts', text).breaches.map(({ rule, line }) => [rule, line]);

const CASES: Record<Rule, { readonly refused: readonly string[]; readonly allowed: readonly string[] }> = {
  clock: {
    refused: [
      'await new Promise((resolve) => setTimeout(resolve, 20));',
      'globalThis.setTimeout(end, 20);',
      'await sleep(20);',
      'const wait = promisify(setTimeout);',
      "global.setTimeout(end, 20); const later = globalThis['setTimeout'];",
      'const later = setTimeout;',
      'setInterval(look, 20);',
      "const { setTimeout: wait } = await import('node:timers/promises');",
      'Atomics.wait(cells, 0, 0, 20);',
      'await page.waitForTimeout(20);',
      "import { setTimeout as wait } from 'node:timers/promises';",
      "import { setImmediate, scheduler } from 'timers/promises';",
      "import * as timers from 'node:timers';",
    ],
    allowed: [
      "import { setImmediate as turn } from 'node:timers/promises';",
      'request.setTimeout(1_000, end);',
      "const program = 'setTimeout(() => process.exit(3), 300)';",
      '// setTimeout(end, 20)',
      'await until(isDone); await delay(20);',
    ],
  },
  elapsed: {
    refused: [
      'expect(performance.now() - beganMs).to.be.below(40);',
      "expect(Date.now() - beganMs, 'ms').to.be.a('number').and.to.be.lessThan(40);",
      'expect(Math.abs(seconds - Date.now() / 1_000)).to.be.at.most(60);',
      'const tookMs = performance.now() - beganMs; expect(tookMs).to.be.within(1, 40);',
      'const endMs = Date.now(); expect(endMs - beganMs).to.be.below(40);',
      'const took = process.hrtime.bigint() - began; expect(took).to.be.below(40n);',
      'expect(performance.now() - beganMs < 40).to.equal(true);',
      'const msOf = async () => { await use(); return Date.now() - beganMs; }; expect(await msOf()).to.be.below(40);',
    ],
    allowed: [
      'expect(performance.now() - beganMs).to.be.at.least(40);',
      'expect(Date.parse(time)).to.be.within(beganMs, Date.now());',
      'expect(answers.length - 1).to.be.below(40);',
      'const toReport = () => ({ ms: 1 }); const print = () => { log(Date.now() - beganMs); }; expect(print).to.be.below(1);',
    ],
  },
  environment: {
    refused: [
      "process.env.DATA_DIR = 'a';",
      "before(() => { process.env['DATA_DIR'] = 'a'; });",
      'delete process.env.DATA_DIR;',
      "Object.assign(process.env, { DATA_DIR: 'a' });",
      "process.env.DATA_DIR ??= 'a';",
    ],
    allowed: [
      "before(() => { process.env.A = 'a'; }); after(() => { delete process.env.A; });",
      "try { process.env.A = 'a'; } finally { delete process.env.A; }",
      "process.env.A = 'a'; await use().finally(() => { delete process.env.A; });",
      'const set = (value) => { process.env.A = value; }; beforeEach(() => set("a")); afterEach(() => set(before));',
      "spawn('node', { env: { ...process.env, A: 'a' } });",
    ],
  },
  port: {
    refused: [
      'server.listen(8080);',
      'const PORT = 8_080; server.listen(PORT);',
      "listen(app, { host: '127.0.0.1', port: 8_080 });",
    ],
    allowed: [
      "server.listen(0, '127.0.0.1');",
      "listen(app, { host: '127.0.0.1', port: 0 });",
      'listen(app, { port });',
    ],
  },
  directory: {
    refused: [
      "const path = '/tmp/ledger';",
      'open(`/var/tmp/a`);',
      "list('/tmp');",
      "const path = join(tmpdir(), 'ledger');",
    ],
    allowed: [
      "await mkdtemp(join(tmpdir(), 'test-'));",
      "mkdtempSync(join(os.tmpdir(), 'test-'));",
      "open('/dev/null');",
    ],
  },
  timeout: {
    refused: [
      'this.timeout(120_000);',
      'this.timeout(120_000); //',
      '// Why.\n\nthis.timeout(120_000);',
      "it('starts', start).timeout(120_000);",
    ],
    allowed: [
      "it('starts', start).timeout(120_000); // it starts 20 servers",
      'socket.timeout(120_000);',
      'this.timeout(120_000); // it starts 20 servers',
      '// It starts 20 servers.\nthis.timeout(120_000);',
    ],
  },
  characters: {
    refused: ["fc.string({ unit: 'binary' });", "fc.jsonValue({ stringUnit: 'binary' });"],
    allowed: ["fc.string({ unit: 'grapheme' });", 'fc.string({ unit: codePoints });'],
  },
  runs: {
    refused: ['fc.assert(check, { numRuns: 300 });', 'await fc.assert(check, { seed: 1, numRuns: RUNS });'],
    allowed: [
      'fc.assert(check, runs(300));',
      'fc.assert(check, { ...runs(300), examples });',
      'fc.sample(a, { numRuns: 1 });',
    ],
  },
  retries: {
    refused: ['this.retries(3);', "it('is there', look).retries(3);", "describe('a', () => {}).retries(3);"],
    allowed: ['const { retries } = options; connect({ retries });', 'client.retries(3);'],
  },
  mocks: {
    refused: ['afterEach(() => mock.restoreAll());'],
    allowed: ['timeout.mock.restore();', 'mock.timers.reset();'],
  },
  skip: {
    refused: [
      'if (!isThere) this.skip();',
      "it.skip('is later', () => {});",
      "xit('a', b); xdescribe('a', b);",
      "it('is later');",
    ],
    allowed: ["skipWithout(this, 'openssl');"],
  },
};

describe('the rules for tests', () => {
  for (const [rule, { refused, allowed }] of Object.entries(CASES)) {
    for (const text of refused) {
      it(`refuse by "${rule}" ${JSON.stringify(text)}`, () => {
        const breaches = breachesIn(text);
        expect(breaches).not.to.deep.equal([]);
        expect(new Set(breaches.map(([broken]) => broken))).to.deep.equal(new Set([rule]));
      });
    }
    for (const text of allowed) {
      it(`allow ${JSON.stringify(text)}`, () => expect(breachesIn(text)).to.deep.equal([]));
    }
  }

  it('name the line, and apply to tests alone', () => {
    const text = 'const a = 1;\n\n// sleep(1)\nawait sleep(2);\n';
    expect(breachesIn(text)).to.deep.equal([['clock', 4]]);
    expect(factsOf('host/example.ts', text).breaches).to.deep.equal([]);
  });
});

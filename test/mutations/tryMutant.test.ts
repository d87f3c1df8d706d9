import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { ROOT } from '../support/sources.ts';
import { type Baselines, createBaselines } from './baselines.ts';
import { isExecuted } from './coverage.ts';
import { createKills, type Kills } from './kills.ts';
import { mutantsOf } from './mutants.ts';
import { createPrivateTree, type PrivateTree } from './privateTree.ts';
import { createTestGraph } from './testGraph.ts';
import { type Result, tryMutant } from './tryMutant.ts';

const PROGRAM = `const unused = (value) => value + 1;
export const isLarge = (value) => value > 10;
export const isSmall = (value) => value < 5;
export const count = (end) => {
  let at = 0;
  while (at < end) at += 1;
  return at;
};
`;

const FILES = {
  'program.ts': PROGRAM,
  'test/program.test.ts': `import { isLarge, isSmall } from '../program.ts';
it('knows what is large', () => {
  if (!isLarge(20) || isLarge(10)) throw new Error('wrong');
  isSmall(2);
});
`,
  'test/count.test.ts': `import { count } from '../program.ts';
it('counts', () => {
  if (count(1) !== 1) throw new Error('wrong '.repeat(10_000));
});
`,
  'test/failing.test.ts': `import { count } from '../program.ts';
it('fails', () => {
  throw new Error(String(count(1)));
});
`,
};

const write = (directory: string): void => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
};

const GRACE_MS = 30_000;

describe('a fault that is planted', () => {
  const newDirectory = useDirectories();
  const graph = createTestGraph(new Map(Object.entries(FILES)), () => 1);
  const failures: string[] = [];
  let [root, tree]: [string, PrivateTree | undefined] = ['', undefined];
  let baselines: Baselines;
  let kills: Kills;

  before(async () => {
    root = await newDirectory();
    write(root);
    const directory = await newDirectory();
    tree = createPrivateTree(root, Object.keys(FILES), join(directory, 'tree'));
    kills = createKills(join(directory, 'kept'), graph.digestOf);
    baselines = createBaselines({
      tree: createPrivateTree(root, Object.keys(FILES), join(directory, 'clean')),
      directory: join(directory, 'kept'),
      digestOf: graph.digestOf,
      onFailure: (test) => failures.push(test),
    });
  });

  const tryFault = (operator: string, line: number, graceMs = GRACE_MS): Promise<Result> => {
    const mutant = mutantsOf('program.ts', PROGRAM).find((each) => each.operator === operator && each.line === line)!;
    return tryMutant(mutant, PROGRAM, tree!, { graph, baselines, kills, testsMax: 9, graceMs });
  };

  it('is killed by the test that fails, and removed', async () => {
    const { verdict, tests, detail } = await tryFault('> to >=', 2);
    expect({ verdict, tests, detail }).to.deep.equal({
      verdict: 'killed',
      tests: ['test/program.test.ts'],
      detail: 'knows what is large',
    });
    expect(readFileSync(join(tree!.path, 'program.ts'), 'utf8')).to.equal(PROGRAM);
    expect(readFileSync(join(root, 'program.ts'), 'utf8')).to.equal(PROGRAM);
  });

  it('is killed by a failure that says more than is kept of it', async () => {
    const { verdict, detail } = await tryFault('< to <=', 6);
    expect({ verdict, detail }).to.deep.equal({ verdict: 'killed', detail: 'counts' });
  });

  it('is not tried again where it was killed', async () => {
    const first = await tryFault('> to <=', 2);
    writeFileSync(join(tree!.path, 'test', 'program.test.ts'), '');
    expect(await tryFault('> to <=', 2)).to.deep.equal(first);
    writeFileSync(join(tree!.path, 'test', 'program.test.ts'), FILES['test/program.test.ts']);
  });

  it('survives when the tests that execute its place pass', async () => {
    const { verdict, tests } = await tryFault('< to <=', 3);
    expect({ verdict, tests }).to.deep.equal({ verdict: 'survived', tests: ['test/program.test.ts'] });
  });

  it('survives without a run when no test executes its place', async () => {
    const { verdict, tests } = await tryFault('off by one', 1);
    expect({ verdict, tests }).to.deep.equal({ verdict: 'survived', tests: [] });
  });

  it('is killed by time when the test does not end', async () => {
    const { verdict, tests } = await tryFault('removed statement', 6, 0);
    expect({ verdict, tests }).to.deep.equal({ verdict: 'timeout', tests: ['test/count.test.ts'] });
  });

  it('is tried with no test that fails without it', async () => {
    const { verdict, tests } = await tryFault('< to >=', 6);
    expect({ verdict, tests }).to.deep.equal({ verdict: 'killed', tests: ['test/count.test.ts'] });
    expect(failures).to.deep.equal(['test/failing.test.ts']);
  });

  it('is tried with the tests that execute its place', async () => {
    const { coverage } = await baselines.measure('test/count.test.ts');
    const executed = ['+ 1', '> 10', '< 5', 'at += 1'].map((text) =>
      isExecuted(coverage, 'program.ts', PROGRAM.indexOf(text)),
    );
    expect(executed).to.deep.equal([false, false, false, true]);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { checkOut, removeCheckout, resolveCommit, setUpCheckout } from '../../bench/against/checkout.ts';
import { readTree, toExecCommand } from '../../bench/against/tree.ts';
import { isAlive } from '../support/isAlive.ts';
import { skipWithout, skipWithoutPrograms } from '../support/missing.ts';
import { ROOT } from '../support/sources.ts';
import { until } from '../support/until.ts';

const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  );

describe('a checkout of another commit', () => {
  let directory: string;
  let repository: string;
  let path: string;

  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      encoding: 'utf8',
    }).trim();

  const commit = async (setUp: string): Promise<string> => {
    await writeFile(join(repository, 'scripts', 'setup.js'), setUp);
    git('add', '.');
    git('commit', '--quiet', '--message', 'Change the set-up');
    return git('rev-parse', 'HEAD');
  };

  before(function () {
    skipWithoutPrograms(this, 'git');
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'provenance-checkout-'));
    [repository, path] = [join(directory, 'repository'), join(directory, 'tree')];
    await mkdir(join(repository, 'scripts'), { recursive: true });
    // Its programs are CommonJS, also where the temporary directory lies in a package of modules.
    await writeFile(join(repository, 'package.json'), '{}');
    await writeFile(join(directory, 'package.json'), '{"type": "module"}');
    git('init', '--quiet');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is found by any name of the commit', async () => {
    const first = await commit('1;');
    await commit('2;');
    expect(await resolveCommit(repository, 'HEAD~1')).to.equal(first);
    expect(await resolveCommit(repository, first.slice(0, 8))).to.equal(first);
    for (const name of ['absent', '--all', ''])
      expect(await failureOf(resolveCommit(repository, name))).to.equal(`${name} is no commit of this repository`);
  });

  it('is set up by its own program, and is gone afterwards with all that was created in it', async () => {
    const first = await commit("require('node:fs').writeFileSync('made', '')");
    await commit('process.exit(1)');
    await checkOut(repository, first, path);
    await setUpCheckout(path, new AbortController().signal);
    expect(existsSync(join(path, 'made'))).to.equal(true);
    await removeCheckout(repository, path);
    expect(existsSync(path)).to.equal(false);
    expect(git('worktree', 'list').split('\n')).to.have.length(1);
    // Nothing to do.
    await removeCheckout(repository, path);
  });

  it('is used again when it is unchanged, and refused otherwise', async () => {
    const first = await commit('1;');
    const second = await commit('2;');
    await checkOut(repository, first, path);
    await checkOut(repository, first, path);
    expect(await failureOf(checkOut(repository, second, path))).to.include(`is a checkout of ${first}`);
    await writeFile(join(path, 'scripts', 'setup.js'), '3;');
    expect(await failureOf(checkOut(repository, first, path))).to.include('were changed');
  });

  it('reports a set-up that fails', async () => {
    await checkOut(repository, await commit('process.exit(3)'), path);
    expect(await failureOf(setUpCheckout(path, new AbortController().signal))).to.include('fails');
  });

  it('ends a set-up together with the programs that it started', async () => {
    const sleeper = "require('node:child_process').execFileSync('sh', ['-c', 'echo $$ > pid; exec sleep 600'])";
    await checkOut(repository, await commit(sleeper), path);
    const stop = new AbortController();
    const done = failureOf(setUpCheckout(path, stop.signal));
    const readPid = (): number => Number(existsSync(join(path, 'pid')) && readFileSync(join(path, 'pid'), 'utf8'));
    await until(() => readPid() > 0);
    const pid = readPid();
    stop.abort();
    expect(await done).to.include('fails');
    await until(() => !isAlive(pid));
  });
});

describe('a tree', () => {
  it('is run by the command that follows the set-up', () => {
    expect(toExecCommand('node scripts/setup.js && exec node -x scripts/start.ts')).to.equal(
      'node -x scripts/start.ts',
    );
    expect(toExecCommand('node scripts/setup.js && CACHE=$PWD/cache exec node scripts/start.ts')).to.equal(
      'node scripts/start.ts',
    );
    expect(toExecCommand('node scripts/start.ts')).to.equal(undefined);
  });

  it('is read from package.json', async () => {
    const { commands, nodeVersion } = await readTree(ROOT);
    expect(commands.get('start')).to.match(/node .*scripts\/start\.ts$/);
    expect(nodeVersion).to.match(/^v\d+\.\d+\.\d+$/);
  });
});

describe('npm run bench:against', () => {
  const program = join(ROOT, 'bench', 'against', 'against.ts');

  it('removes the checkout and its directory when a signal ends it', async function () {
    skipWithoutPrograms(this, 'git');
    if (!existsSync(join(ROOT, '.git'))) skipWithout(this, 'a clone: this directory has no commits');
    const directory = await mkdtemp(join(tmpdir(), 'provenance-against-test-'));
    try {
      // npm keeps its compiled code there.
      const env = { ...process.env, TMPDIR: directory, NODE_DISABLE_COMPILE_CACHE: '1' };
      const child = spawn(process.execPath, [program, 'HEAD'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stderr }))
        if (line.startsWith('checking ')) child.kill('SIGINT');
      expect(await exited).to.deep.equal([130, null]);
      expect(await readdir(directory)).to.deep.equal([]);
      expect(execFileSync('git', ['-C', ROOT, 'worktree', 'list'], { encoding: 'utf8' })).not.to.include(directory);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

// Set-up in its own process, with an npm that the test controls.
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { identify } from '../../setup/processes.js';
import { useDirectories } from '../support/directories.ts';
import { until } from '../support/until.ts';
import { copyRepository, type RepositoryCopy, type SetupRun } from './repositoryCopy.ts';

describe('scripts/setup.js', () => {
  const createDirectory = useDirectories();
  let copy: RepositoryCopy;

  beforeEach(async () => {
    copy = await copyRepository(await createDirectory());
  });

  const expectDone = async (run: SetupRun): Promise<void> => {
    expect(await run.ended, run.stderr()).to.equal(0);
  };
  const commands = (event: string) =>
    copy
      .npmLog()
      .filter((each) => each.event === event)
      .map(({ args }) => args);
  const startEndless = async (goal?: string): Promise<{ run: SetupRun; pids: number[] }> => {
    const before = copy.npmLog().length;
    const run = copy.start({ ...(goal === undefined ? {} : { goal }), isEndless: true });
    await until(() => copy.npmLog().length > before);
    return { run, pids: copy.npmLog().at(-1)!.pids };
  };
  const expectEnded = async (pids: readonly number[]): Promise<void> => {
    for (const pid of pids) await until(() => identify(pid) === undefined);
  };

  it("installs the runtime packages, links the machine's Node, and does nothing the second time", async () => {
    await expectDone(copy.start());
    expect(commands('starts')).to.deep.equal(['ci --omit=dev']);
    for (const link of ['.node/bin/node', 'node_modules/.bin/node'])
      expect(realpathSync(join(copy.root, link))).to.equal(realpathSync(process.execPath));
    const again = copy.start();
    await expectDone(again);
    expect(again.stderr()).to.equal('');
    expect(commands('starts')).to.have.length(1);
  });

  it('adds the development packages and compiles the contracts', async () => {
    await expectDone(copy.start());
    await expectDone(copy.start({ goal: 'development' }));
    expect(commands('starts')).to.deep.equal(['ci --omit=dev', 'install --include=dev --no-save']);
    expect(copy.has('artifacts/.setup')).to.equal(true);
    await expectDone(copy.start({ goal: 'development' }));
    await expectDone(copy.start());
    expect(commands('starts')).to.have.length(2);
  });

  it('builds the explorer again when one of its files changes', async () => {
    await expectDone(copy.start());
    writeFileSync(join(copy.root, 'explorer', 'page.ts'), '');
    const again = copy.start();
    await expectDone(again);
    expect(again.stderr()).to.match(
      /^set-up: building the explorer \(esbuild\) \.\.\.\nset-up: .+: done after .+ s\n$/,
    );
    expect(commands('starts')).to.have.length(1);
  });

  it('installs again when the lockfile changes', async () => {
    await expectDone(copy.start());
    appendFileSync(join(copy.root, 'package-lock.json'), '\n');
    await expectDone(copy.start());
    expect(commands('starts')).to.have.length(2);
  });

  it('prints a line to standard error when a step starts and when it ends', async () => {
    const run = copy.start();
    await expectDone(run);
    expect(run.stderr()).to.match(
      /^set-up: installing packages for runtime \(npm ci\) \.\.\.\nset-up: .+: done after [\d.]+ s\nset-up: building the explorer \(esbuild\) \.\.\.\nset-up: .+: done after [\d.]+ s\n$/,
    );
  });

  it('waits for set-up in another terminal, and uses the packages that it installed', async () => {
    const release = copy.hold();
    const runs = [copy.start(), copy.start(), copy.start()];
    await until(() => runs.filter((run) => run.stderr().includes('another terminal')).length === 2);
    release();
    for (const run of runs) await expectDone(run);
    expect(commands('starts')).to.have.length(1);
    const waited = runs.filter((run) =>
      /^set-up: waiting for another terminal \(process (\d+)\) \.\.\.\n[\s\S]*\(process \1\): ended after [\d.]+ s\n/.test(
        run.stderr(),
      ),
    );
    expect(waited).to.have.length(2);
  });

  it('continues after set-up was killed, and ends the npm process that was left', async () => {
    const { run, pids } = await startEndless();
    const waiting = copy.start();
    await until(() => waiting.stderr().includes('another terminal'));
    run.child.kill('SIGKILL');
    await run.ended;
    await expectEnded(pids);
    await expectDone(waiting);
    expect(commands('ends')).to.have.length(1);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`ends npm and its child processes on ${signal}, and continues at the next start`, async () => {
      const { run, pids } = await startEndless();
      run.child.kill(signal);
      expect(await run.ended).to.equal(code);
      await expectEnded(pids);
      await expectDone(copy.start());
      expect(commands('starts')).to.deep.equal(['ci --omit=dev', 'ci --omit=dev']);
    });
  }

  it('keeps the runtime packages when installing for development is interrupted, and then starts with empty folders', async () => {
    await expectDone(copy.start());
    const { run } = await startEndless('development');
    await expectDone(copy.start());
    run.child.kill('SIGINT');
    await run.ended;
    await expectDone(copy.start());
    await expectDone(copy.start({ goal: 'development' }));
    expect(commands('starts')).to.deep.equal(['ci --omit=dev', 'install --include=dev --no-save', 'ci --include=dev']);
  });

  it("prints npm's output and a remedy when npm fails", async () => {
    const run = copy.start({ npmCode: 7 });
    expect(await run.ended).to.equal(1);
    expect(run.stderr()).to.match(/^(?:set-up: .*\n)+$/);
    expect(run.stderr()).to.match(/registry is away[\s\S]+ended with exit code 7\. Check the network and the registry/);
    await expectDone(copy.start());
  });

  it('reports a missing engine that npm was configured to omit', async () => {
    const run = copy.start({ engines: [] });
    expect(await run.ended).to.equal(1);
    expect(run.stderr()).to.match(/npm left out @nomicfoundation\/edr-\S+, .*npm config get omit/);
  });

  for (const option of ['--help', '-h'])
    it(`prints a help text for ${option}, and installs nothing`, async () => {
      const run = copy.start({ goal: option });
      await expectDone(run);
      expect(run.stdout()).to.match(/^Usage: npm run setup .*development/);
      expect(run.stderr()).to.equal('');
      expect(commands('starts')).to.eql([]);
    });

  it('refuses an unknown goal', async () => {
    const run = copy.start({ goal: 'everything' });
    expect(await run.ended).to.equal(1);
    expect(run.stderr()).to.equal('set-up: usage: node scripts/setup.js [runtime|development]\n');
  });
});

describe('package.json', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it('starts every script with set-up, the Node that set-up chose, and its cache of compiled code', () => {
    const CACHE = 'NODE_COMPILE_CACHE=$PWD/.node/compile-cache';
    const NODE =
      /^node scripts\/setup\.js(?: development)?(?:$| && (?:CACHE exec \.node\/bin\/node |PATH=\$PWD\/\.node\/bin:\$PATH CACHE && export NODE_COMPILE_CACHE && ))/;
    expect(Object.entries(scripts).filter(([, script]) => !NODE.test(script.replace(CACHE, 'CACHE')))).to.deep.equal(
      [],
    );
  });
});

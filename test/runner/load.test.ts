// The load of test:repeat ends with it.
import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { isAlive } from '../support/isAlive.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { findChildren } from './processTree.ts';

describe('a load beside tests', () => {
  const createDirectory = useDirectories();
  const temporary = process.env.TMPDIR;

  afterEach(() => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
  });

  it('runs as many busy loops as it should, and a writer, until it is ended', async () => {
    // Another run on this machine has its own.
    const directory = await createDirectory();
    process.env.TMPDIR = directory;
    const before = findChildren(process.pid).length;
    const end = startLoad(2, true);
    await until(() => readdirSync(directory).length > 0);
    const during = findChildren(process.pid).length;
    await end();
    expect([during - before, findChildren(process.pid).length - before]).to.deep.equal([3, 0]);
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('leaves nothing when Ctrl-C ends it before it is ended', async () => {
    const directory = await createDirectory();
    process.env.TMPDIR = directory;
    const before = new Set(findChildren(process.pid));
    const end = startLoad(1, true);
    await until(() => readdirSync(directory).length > 0);
    const started = findChildren(process.pid).filter((child) => !before.has(child));
    for (const pid of started) process.kill(pid, 'SIGINT');
    await until(() => !started.some(isAlive));
    await end();
    expect(readdirSync(directory)).to.deep.equal([]);
  });
});

// Temporary directories of processes that end, however they end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';

const toUrl = (path: string): string => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);
const TEMPORARY = toUrl('chain/temporaryDirectory.ts');

describe('a temporary directory', () => {
  const makeDirectory = useDirectories();

  /** Runs a program that has opened two of them in `below`; `then` is what it does next. */
  const run = async (below: string, then: string) => {
    const program = `
      import { openTemporaryDirectory } from ${TEMPORARY};
      import { writeFileSync } from 'node:fs';
      const first = await openTemporaryDirectory('a-', ${JSON.stringify(below)});
      const second = await openTemporaryDirectory('b-', ${JSON.stringify(below)});
      writeFileSync(second.path + '/file', 'x');
      const alive = setInterval(() => undefined, 60_000);
      ${then}
      console.log('opened');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    return { child, exited, opened: once(child.stdout!, 'data') };
  };

  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
    it(`is removed when ${signal} ends the process`, async () => {
      const below = join(await makeDirectory(), 'below');
      await mkdir(below);
      const { child, exited, opened } = await run(below, '');
      await opened;
      expect(await readdir(below)).to.have.length(2);
      child.kill(signal);
      expect(await exited).to.eql([null, signal]);
      expect(await readdir(below)).to.eql([]);
    });

  it('is removed by an error that nothing caught', async () => {
    const below = join(await makeDirectory(), 'below');
    await mkdir(below);
    const { exited } = await run(below, 'process.exit(3);');
    expect(await exited).to.eql([3, null]);
    expect(await readdir(below)).to.eql([]);
  });

  it('ends no process that listens to the signal itself, and is removed when that one ends', async () => {
    const below = join(await makeDirectory(), 'below');
    await mkdir(below);
    const stops = toUrl('host/lifecycle/stopSignals.ts');
    const then = `const { onStopSignal } = await import(${stops});
      onStopSignal((signal, endAtOnce) => { console.log('stopping'); first.remove().then(endAtOnce); });`;
    const { child, exited, opened } = await run(below, then);
    await opened;
    const stopping = once(child.stdout!, 'data');
    child.kill('SIGTERM');
    expect(String((await stopping)[0])).to.equal('stopping\n');
    expect(await exited).to.eql([null, 'SIGTERM']);
    expect(await readdir(below)).to.eql([]);
  });
});

// A run whose output, or whose disk, has no more room.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { skipWithout } from '../support/missing.ts';
import { isDiskFull } from './disk.ts';

const RUN_FILES = new URL('runFiles.ts', import.meta.url).href;
const FILES = ['test/runner/fixtures/fails.ts', 'test/runner/fixtures/passes.ts'];
const PROGRAM = `const { runFiles } = await import(${JSON.stringify(RUN_FILES)});
  const { failures } = await runFiles({ files: ${JSON.stringify(FILES)}, jobs: 1, runsFactor: 1 });
  process.exitCode = failures.length;`;

const start = (stdout: number | 'pipe') =>
  spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', stdout, 'pipe'] });

const expectAll = (errors: string): void => {
  expect(errors).to.include(`FAILED ${FILES[0]}: fails with a difference`);
  expect(errors).to.match(/^2 passed, 3 failed, 0 skipped$/m);
};

describe('a run of tests', () => {
  it('tells its results by the standard error when the standard output is on a full disk', async function () {
    if (!existsSync('/dev/full')) skipWithout(this, '/dev/full, the full disk of Linux');
    const full = openSync('/dev/full', 'w');
    const child = start(full);
    closeSync(full);
    const [errors] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    expectAll(errors);
    expect(errors.slice(0, errors.indexOf('FAILED'))).to.include('ENOSPC');
    expect(child.exitCode).to.equal(3);
  });

  it('tells its results by the standard error when the reader of its standard output has gone', async () => {
    const child = start('pipe');
    child.stdout!.destroy();
    const [errors] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    expectAll(errors);
    expect(child.exitCode).to.equal(3);
  });

  it('knows a disk that has no room', () => {
    expect(isDiskFull(import.meta.dirname)).to.equal(false);
    // It holds no files of anybody.
    if (existsSync('/proc/self')) expect(isDiskFull('/proc')).to.equal(true);
  });
});

// The runner keeps the results of all files, whatever one of them does.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { isAlive } from '../support/isAlive.ts';
import { skipWithout, skipWithoutLinux } from '../support/missing.ts';
import { mountSmallDisk } from '../support/smallDisk.ts';
import { until } from '../support/until.ts';
import { toRepeatCommand } from './display.ts';
import type { Failure, FileResult } from './fileResult.ts';
import { createPool } from './pool.ts';
import { toPattern } from './titlePattern.ts';

const newDirectory = useDirectories();

interface Run {
  readonly results: ReadonlyMap<string, FileResult>;
  readonly failures: readonly Failure[];
  readonly directory: string;
}

const toFile = (name: string): string => `test/runner/fixtures/${name}.ts`;

const newOptions = (directory: string) => ({
  pattern: undefined,
  timeoutMs: 300,
  silence: { loadingMs: 30_000, graceMs: 6_000 },
  directory,
  env: {
    ...process.env,
    LEFT_PID_FILE: join(directory, 'pid'),
    PROCESSES_FILE: join(directory, 'processes'),
    LEFT_DISK_FILE: join(directory, 'disk'),
  },
});

const run = async (names: readonly string[], jobs = 2, pattern?: string, subdirectory = ''): Promise<Run> => {
  const directory = await newDirectory();
  const results = new Map<string, FileResult>();
  const failures: Failure[] = [];
  const pool = createPool(names.map(toFile), jobs, {
    ...newOptions(directory),
    pattern,
    directory: join(directory, subdirectory),
    onTest: () => undefined,
    onFailure: (failure) => failures.push(failure),
    onFile: (result) => results.set(result.file, result),
  });
  await pool.run();
  return { results, failures, directory };
};

const countsOf = ({ results }: Run, name: string): readonly number[] => {
  const { passed, skipped, failures } = results.get(toFile(name))!;
  return [passed, failures.length, skipped];
};

const canMount = async (): Promise<boolean> => {
  const disk = await mountSmallDisk(await newDirectory(), 1);
  await disk?.unmount();
  return disk !== undefined;
};

describe('the runner of the tests', () => {
  it('counts tests that pass, fail and are skipped, with what is missing for them', async () => {
    const done = await run(['passes', 'fails', 'skips']);
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
    expect(countsOf(done, 'fails')).to.deep.equal([0, 3, 0]);
    expect(countsOf(done, 'skips')).to.deep.equal([0, 0, 2]);
    expect(done.results.get(toFile('skips'))!.missing).to.deep.equal(['the moon is missing']);
  });

  it('shows a difference, names a full disk, and repeats each test by a command', async () => {
    const { failures } = await run(['fails']);
    expect(failures[0]!.text).to.match(/-\s+"a": 1\n\s+\+\s+"a": 2/);
    expect(failures[1]!.text).to.include('TMPDIR');
    expect(failures.map(toRepeatCommand)).to.deep.equal([
      `npm test -- ${toFile('fails')} --title 'fails with a difference'`,
      `npm test -- ${toFile('fails')} --title 'fails on a full disk'`,
      `npm test -- ${toFile('fails')}`,
    ]);
  });

  it('names a file that cannot be loaded, and runs the others', async () => {
    const done = await run(['doesNotLoad', 'passes'], 1);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('doesNotLoad')]);
    expect(done.failures[0]!.text).to.include('thrown while it is loaded');
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('names a file without tests, but not one of which none was asked for', async () => {
    expect((await run(['empty', 'passes'], 1)).failures.map(({ file }) => file)).to.deep.equal([toFile('empty')]);
    expect((await run(['passes'], 1, toPattern('no such title', true))).failures).to.deep.equal([]);
  });

  it('says nothing more of a worker that is closed while its tests run', async () => {
    for (const name of [toFile('passes'), 'test/contracts/attest.test.ts']) {
      const heard: unknown[] = [];
      const closed = Promise.withResolvers<void>();
      const pool = createPool([name], 1, {
        ...newOptions(await newDirectory()),
        onTest: () => {
          heard.push('test');
          pool.close().then(closed.resolve, closed.reject);
        },
        onFailure: (failure) => heard.push(failure),
        onFile: (result) => heard.push(result),
      });
      void pool.run();
      await closed.promise;
      expect(heard, name).to.deep.equal(['test']);
    }
  });

  it('ends a file that hangs in a loop, and keeps its results until then', async () => {
    const done = await run(['spins', 'passes'], 1);
    expect(countsOf(done, 'spins')).to.deep.equal([1, 1, 0]);
    expect(done.failures[0]!.text).to.include('never gives the thread back');
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('waits for a test that has set itself a longer limit, also while it holds the thread', async () => {
    expect(countsOf(await run(['takesLong'], 1), 'takesLong')).to.deep.equal([1, 0, 0]);
  });

  it('names a file that leaves a mounted disk, and says what to do, and runs the others', async function () {
    if (!(await canMount())) skipWithout(this, 'a process that may mount a disk: run the tests as root');
    const done = await run(['leavesDisk', 'passes'], 1);
    execFileSync('umount', [readFileSync(join(done.directory, 'disk'), 'utf8')]);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('leavesDisk')]);
    expect(done.failures[0]!.text).to.match(/can't be removed \(.*busy.*\): unmount what is mounted below it/);
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('keeps the results and the output of a file whose process ends', async () => {
    const done = await run(['ends', 'passes'], 1);
    expect(countsOf(done, 'ends')).to.deep.equal([1, 1, 0]);
    expect(done.failures[0]!.text).to.include('exit code 3').and.include('written before the end');
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('runs files one after another in one process, but none after a test that ran into its limit', async () => {
    const clean = await run(['tellsProcess', 'passes', 'tellsProcessAgain'], 1);
    const late = await run(['tellsProcess', 'timesOut', 'tellsProcessAgain'], 1);
    const processesOf = ({ directory }: Run): string[] =>
      readFileSync(join(directory, 'processes'), 'utf8').trim().split('\n');
    expect(new Set(processesOf(clean)).size).to.equal(1);
    expect(new Set(processesOf(late)).size).to.equal(2);
    expect(countsOf(late, 'timesOut')).to.deep.equal([1, 1, 0]);
  });

  it('names files that leave a server or a child process open, and ends it', async () => {
    const done = await run(['leavesChild', 'leavesServer', 'passes'], 1);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('leavesChild'), toFile('leavesServer')]);
    expect(done.failures[0]!.text).to.include('1 x child process');
    expect(done.failures[1]!.text).to.include('1 x listening server');
    const left = Number(readFileSync(join(done.directory, 'pid'), 'utf8'));
    await until(() => !isAlive(left));
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('names a file that leaves timers, with the places that started them, and runs the next one elsewhere', async () => {
    const done = await run(['leavesTimers', 'passes'], 1);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('leavesTimers')]);
    const { text } = done.failures[0]!;
    for (const line of [7, 10])
      expect(text).to.match(new RegExp(`1 x timer that ${toFile('leavesTimers')}:${line}:\\d+ started`));
    expect(text).to.include('1 x loop of setImmediate');
    expect(text.match(/\d+ x /g)).to.have.length(3);
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('names a file that throws after its end, while it is loaded, or between tests', async () => {
    const done = await run(['throwsLate', 'rejectsWhenLoaded', 'throwsOutside', 'passes'], 1);
    const failed = ['throwsLate', 'rejectsWhenLoaded', 'throwsOutside'];
    expect(done.failures.map(({ file }) => file)).to.deep.equal(failed.map(toFile));
    for (const [at, text] of ['thrown by a timer', 'while it is loaded', 'outside'].entries())
      expect(done.failures[at]!.text).to.include(text);
    expect(done.failures.map(toRepeatCommand)).to.deep.equal(failed.map((name) => `npm test -- ${toFile(name)}`));
    expect(done.failures[2]!.title).to.equal('Uncaught error outside test suite');
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('fails a test in which a promise is rejected that nothing waits for, and a file after its tests', async () => {
    const done = await run(['rejects', 'passes'], 1);
    expect(done.failures.map(({ title }) => title)).to.deep.equal(['rejects in the background', undefined]);
    expect(done.failures[0]!.text).to.include('nobody waits for this');
    expect(done.failures[1]!.text).to.include('nobody waits for that').and.include(toFile('rejects'));
    expect(countsOf(done, 'rejects')).to.deep.equal([2, 2, 0]);
    expect(countsOf(done, 'passes')).to.deep.equal([2, 0, 0]);
  });

  it('names the children that a file has forgotten, and ends them', async function () {
    skipWithoutLinux(this);
    const done = await run(['forgetsChild', 'passes'], 1);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('forgetsChild')]);
    const pids = readFileSync(join(done.directory, 'processes'), 'utf8').trim().split(' ').map(Number);
    for (const pid of pids) expect(done.failures[0]!.text).to.include(`1 x child process ${pid} (sleep 1000)`);
    await until(() => !pids.some(isAlive));
  });

  it('names a file that leaves the environment changed, and runs the next one elsewhere', async () => {
    const done = await run(['changesEnvironment', 'readsEnvironment'], 1);
    expect(done.failures.map(({ file }) => file)).to.deep.equal([toFile('changesEnvironment')]);
    expect(done.failures[0]!.text).to.include('PROVENANCE_LEFT').and.include('clearTimeout');
    expect(countsOf(done, 'readsEnvironment')).to.deep.equal([1, 0, 0]);
  });

  it('names each file that gets no directory of its own, as on a full disk, and ends', async () => {
    const { failures } = await run(['passes', 'skips'], 1, undefined, 'missing');
    expect(failures.map(({ file }) => file)).to.deep.equal([toFile('passes'), toFile('skips')]);
    expect(failures[0]!.text).to.include('ENOENT');
  });

  it('runs the tests with a text in their title alone, or with that title alone', async () => {
    const countOf = async (text: string, isWhole: boolean): Promise<readonly number[]> =>
      countsOf(await run(['similarTitles'], 1, toPattern(text, isWhole)), 'similarTitles');
    expect(await countOf('reads a (row)', false)).to.deep.equal([3, 0, 0]);
    expect(await countOf('reads a (row)', true)).to.deep.equal([1, 0, 0]);
  });
});

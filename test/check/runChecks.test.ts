// What `npm run check` prints, and how it ends.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { until } from '../support/until.ts';
import { type Check, runChecks } from './runChecks.ts';

const toCheck = (name: string, program: string): Check => ({ name, command: process.execPath, args: ['-e', program] });

const PASSES = toCheck('passes', 'console.log("not shown")');
const FAILS = toCheck('fails', 'console.log("a reason"); console.error("and more"); process.exitCode = 3;');

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('checks of the repository', () => {
  const createDirectory = useDirectories();
  let printed: string[];
  const print = (text: string): void => void printed.push(text);

  beforeEach(() => {
    printed = [];
  });

  it('print the output of those that fail, each in one piece, and the time of all', async () => {
    const checks = [FAILS, PASSES, toCheck('killed', 'process.kill(process.pid, "SIGKILL")')];
    const failed = await runChecks(checks, { env: process.env, lanes: 2, print });
    expect(failed.map(({ name }) => name)).to.have.members(['fails', 'killed']);
    expect(printed).to.have.length(3);
    const [fails, killed, passes] = printed.toSorted();
    expect(fails).to.match(/^fails FAILED: exit code 3, \d+\.\d s\n(?:a reason\nand more|and more\na reason)$/);
    expect(killed).to.match(/^killed FAILED: SIGKILL, \d+\.\d s\n$/);
    expect(passes).to.match(/^passes: \d+\.\d s$/);
  });

  it('fail where their command is not there', async () => {
    const gone: Check = { name: 'gone', command: 'no-such-command', args: [] };
    expect(await runChecks([gone, PASSES], { env: process.env, lanes: 1, print })).to.deep.equal([gone]);
    expect(printed[0]).to.match(/^gone FAILED: spawn no-such-command ENOENT/);
  });

  it('end with what they started when they are stopped, and no other begins', async () => {
    const pidFile = join(await createDirectory(), 'pid');
    const program = `
      const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
      require('node:fs').writeFileSync(process.env.PID_FILE, String(pid) + ';');
      setInterval(() => {}, 1_000);`;
    const stopping = new AbortController();
    const env = { ...process.env, PID_FILE: pidFile };
    const checks = runChecks([toCheck('runs', program), PASSES], { env, lanes: 1, print, signal: stopping.signal });
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith(';'));
    stopping.abort();
    expect([await checks, printed]).to.deep.equal([[], []]);
    await until(() => !isRunning(Number.parseInt(readFileSync(pidFile, 'utf8'), 10)));
  });
});

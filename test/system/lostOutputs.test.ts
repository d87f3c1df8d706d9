// A server goes on when its output has no reader or no space, and when signals come that mean nothing.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { findServer } from '../../host/operator/controlClient.ts';
import { useDirectories } from '../support/directories.ts';
import { until } from '../support/until.ts';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const LISTENING = '0A';
/** Of the log of requests: more than the 64 KiB that a pipe holds. */
const LINES_OF_A_PIPE = 600;

// Sockets of a process that listen, by the inodes of its descriptors.
const countListening = async (pid: number): Promise<number> => {
  const links = (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''));
  const inodes = new Set((await Promise.all(links)).map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const table = await readFile(`/proc/${pid}/net/tcp`, 'utf8');
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter((row) => row[3] === LISTENING && inodes.has(row[9])).length;
};

describe('a server whose output is lost', () => {
  const createDirectory = useDirectories();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const start = async (output: 'pipe' | number): Promise<{ child: ChildProcess; url: string }> => {
    const dataDir = await createDirectory();
    const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0' };
    const child = spawn(process.execPath, [START], { env, stdio: ['ignore', output, output] });
    children.push(child);
    for (const stream of [child.stdout, child.stderr]) stream?.resume();
    const find = () => findServer(dataDir).catch(() => undefined);
    await until(async () => (await find()) !== undefined);
    const { url } = (await find())!;
    await until(async () => (await fetch(`${url}/readyz`)).ok);
    return { child, url };
  };

  const expectOrderlyEnd = async (child: ChildProcess): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).to.deep.equal([0, null]);
  };

  const send = async (child: ChildProcess, url: string, signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    for (let request = 0; request < 20; request += 1) expect((await fetch(`${url}/docs/`)).ok).to.equal(true);
  };

  it('goes on after its readers have ended, whatever signal comes, and stops in order', async () => {
    const { child, url } = await start('pipe');
    const listening = await countListening(child.pid!);
    child.stdout!.destroy();
    child.stderr!.destroy();
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGHUP'] as const) await send(child, url, signal);
    expect(await countListening(child.pid!)).to.equal(listening);
    await expectOrderlyEnd(child);
  });

  it('stops in order while its reader takes nothing', async () => {
    const path = join(await createDirectory(), 'output');
    execFileSync('mkfifo', [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const { child, url } = await start(pipe);
    for (let request = 0; request < LINES_OF_A_PIPE; request += 1) await fetch(`${url}/docs/`);
    await expectOrderlyEnd(child);
    closeSync(pipe);
  });

  it('goes on when its outputs can take nothing, and stops in order', async () => {
    const full = openSync('/dev/full', 'w');
    const { child, url } = await start(full);
    closeSync(full);
    await send(child, url, 'SIGHUP');
    await expectOrderlyEnd(child);
  });
});

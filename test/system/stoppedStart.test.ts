// A start that waits for a node ends when its process gets the signal to stop, also as the first process of a
// container, which the kernel ends by no signal that it doesn't listen to.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import { type Behaviour, type FakeNode, hang, startFakeNode } from '../support/fakeNode.ts';
import { skipWithout } from '../support/missing.ts';
import { until } from '../support/until.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const ENDED_BY_SIGTERM = 143;
const AS_FIRST_PROCESS = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'];

const ANSWERS: readonly (readonly [what: string, answers: Behaviour | Readonly<Record<string, Behaviour>>])[] = [
  ['answers nothing', hang],
  ['answers its chain id and nothing more', { eth_chainId: { result: '0x7a69' }, 'eth_getBlockByNumber 0x0': hang }],
];

const canBeFirstProcess = (): boolean => {
  try {
    execFileSync('unshare', [...AS_FIRST_PROCESS, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const findChild = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

describe('a process that waits for a node, and gets the signal to stop', () => {
  const createDirectory = useDirectories();
  let node: FakeNode | undefined;
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
    node?.close();
  });

  const run = async (script: string, [, answers]: (typeof ANSWERS)[number], isFirst = false) => {
    node = await startFakeNode(answers);
    const settings = { DATA_DIR: await createDirectory(), CHAIN_RPC_URL: node.url };
    const env = { ...process.env, ...settings, PORT: '0', HOST: '127.0.0.1' };
    const command = [process.execPath, `${SCRIPTS}${script}`];
    const [program, ...args] = isFirst ? ['unshare', ...AS_FIRST_PROCESS, ...command] : command;
    child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
    const { requested } = node;
    await until(
      () => (typeof answers === 'function' ? requested.length > 0 : requested.includes('eth_getBlockByNumber')),
      () => output,
    );
    const ended = once(child, 'close');
    return { pid: isFirst ? findChild(child.pid!) : child.pid!, ended, output: () => output };
  };

  for (const answering of ANSWERS)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`ends its start on ${signal}, while the node ${answering[0]}`, async () => {
        const { pid, ended, output } = await run('start.ts', answering);
        process.kill(pid, signal);
        expect(await ended, output()).to.deep.equal([null, signal]);
        expect(output()).to.include('the start ends').and.not.to.include('CHAIN_UNAVAILABLE');
      });
    }

  for (const script of ['start.ts', 'deploy.ts'])
    it(`ends on a signal as the first process of a container: ${script}`, async function () {
      if (!canBeFirstProcess()) skipWithout(this, 'unshare may not create a namespace of processes');
      const { pid, ended, output } = await run(script, ANSWERS[0]!, true);
      process.kill(pid, 'SIGTERM');
      expect(await ended, output()).to.deep.equal([ENDED_BY_SIGTERM, null]);
    });
});

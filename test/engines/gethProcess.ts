// One geth as a process, which is killed, stopped, suspended and started again on its own data.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRpcClient } from '../../chain/jsonRpc/rpcRequest.ts';
import { until } from '../support/until.ts';
import type { EngineNode } from './engine.ts';

/** What is started. */
export interface GethProgram {
  readonly geth: string;
  readonly args: readonly string[];
  /** Its data; its output is in the file `log` there. */
  readonly directory: string;
  readonly url: string;
}

const TIMEOUT_MS = 5_000;
const SHOWN_CHARACTERS = 2_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// A process that a signal ends has no such event, and its nodes would go on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const spawnGeth = async ({ geth, args, directory }: GethProgram): Promise<ChildProcess> => {
  const log = await open(join(directory, 'log'), 'a');
  const child = spawn(geth, args, { stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

/** A node that isn't running yet. */
export const createGethNode = (program: GethProgram): EngineNode => {
  const request = createRpcClient(program.url, TIMEOUT_MS);
  let child: ChildProcess | undefined;

  const answers = async (started: ChildProcess): Promise<boolean> => {
    if (started.exitCode !== null || started.signalCode !== null) {
      const log = await readFile(join(program.directory, 'log'), 'utf8');
      throw new Error(`geth ended with ${started.signalCode ?? started.exitCode}:\n${log.slice(-SHOWN_CHARACTERS)}`);
    }
    const answer = await request('eth_blockNumber', []).catch(() => undefined);
    return answer !== undefined;
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    const exited = once(ended, 'exit');
    ended.kill(signal);
    ended.kill('SIGCONT');
    await exited;
  };

  return {
    url: program.url,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    start: async () => {
      const started = await spawnGeth(program);
      child = started;
      await until(() => answers(started));
    },
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
};

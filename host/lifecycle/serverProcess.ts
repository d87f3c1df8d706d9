// Starts the program of `npm start` as a child process, for benchmarks and tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly process: ChildProcess;
  /** Base URL of the API, without a slash at the end. */
  readonly url: string;
  /** Sends a signal and resolves with the exit code; null when the signal ended the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * The arguments of `npm start` for Node: no debugger on SIGUSR1, and capacity for young objects, of which reads and the
 * index create many.
 */
const NODE_ARGUMENTS = ['--disable-sigusr1', '--max-semi-space-size=64'];
const LISTENING = /^listening on (\S+)$/;

/** How a server is started. */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The working directory. */
  readonly cwd: string;
  /** Ends the process at once. */
  readonly signal?: AbortSignal;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const readUrl = async (child: ChildProcess): Promise<string> => {
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = LISTENING.exec(line)?.[1];
    if (url !== undefined) return url;
    output.push(line);
  }
  throw new Error(`the server ended before it listened: ${output.join('\n')}`);
};

/**
 * Starts the server of any version by its program, as `startServerProcess` starts this one.
 */
export const startServerProgram = async (
  { command, args, cwd, signal }: ServerProgram,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> => {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0' };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  child.once('exit', () => signal?.removeEventListener('abort', kill));
  const url = await readUrl(child);
  child.stdout!.resume();
  return {
    process: child,
    url,
    stop: async (name) => {
      child.kill(name);
      return (await exited)[0];
    },
  };
};

/**
 * Starts a server on free ports and waits until it answers. `nodeArguments` are further arguments of Node, `settings`
 * further environment variables. Rejects when the process ends before it answers. The server ends with this process, if
 * that ends by `process.exit`.
 */
export const startServerProcess = (
  dataDir: string,
  nodeArguments: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => {
  const args = [...NODE_ARGUMENTS, ...nodeArguments, join(ROOT, 'scripts', 'start.ts')];
  return startServerProgram({ command: process.execPath, args, cwd: process.cwd() }, dataDir, settings);
};

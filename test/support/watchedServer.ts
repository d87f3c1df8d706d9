// Runs the program of `npm start` as a child process and keeps all of its output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface WatchedServer {
  readonly pid: number;
  /** Its URL. */
  readonly url: string;
  /** Everything that it wrote to both outputs so far. */
  output(): string;
  /** Resolves with the exit code when it has ended and all of its output was read. */
  readonly ended: Promise<number | null>;
  /** Sends a signal; resolves with the exit code when it has ended and all of its output was read. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const LISTENING = /^listening on (\S+)$/m;

const spawnServer = (env: NodeJS.ProcessEnv, openFilesMax: number | undefined) => {
  const limit = openFilesMax === undefined ? '' : `ulimit -n ${openFilesMax}; `;
  return spawn('sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, START], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

/**
 * Starts a server on free ports, with further settings and a limit of open files. Rejects with its output when it ends
 * before it answers.
 */
export const startWatchedServer = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  openFilesMax?: number,
): Promise<WatchedServer> => {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0', ...settings };
  const child = spawnServer(env, openFilesMax);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = LISTENING.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('close', () => reject(new Error(output)));
  });
  return {
    pid: child.pid!,
    url,
    output: () => output,
    ended,
    stop: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
};

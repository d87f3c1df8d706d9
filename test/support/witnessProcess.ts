// The program of `npm run witness` as a child process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/witness.ts', import.meta.url));

/** A witness in a process of its own. */
export interface WitnessProcess {
  /** Without a slash at the end. */
  readonly url: string;
  /** Text of the key that verifies its cosignatures. */
  readonly verifierKey: string;
  /** Resolves with the exit code; null when the signal ended the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a witness. Rejects when it ends before it listens. `port` 0: any free one. */
export const startWitnessProcess = async (
  directory: string,
  logs: readonly string[],
  { name = 'witness.example/w', port = 0, requestsPerSecond = 10 } = {},
): Promise<WitnessProcess> => {
  const rate = ['--requests-per-second', `${requestsPerSecond}`];
  const options = ['--directory', directory, '--name', name, '--port', `${port}`, ...rate];
  const args = [SCRIPT, ...options, ...logs.flatMap((log) => ['--log', log])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.once('exit', () => running.delete(child));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (line.startsWith('listening on ')) break;
  }
  const find = (start: string): string => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '';
  if (find('listening on ') === '') throw new Error(`the witness ended: ${lines.join('\n')}`);
  child.stdout!.resume();
  return {
    url: find('listening on '),
    verifierKey: find('witness '),
    stop: async (signal) => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
};

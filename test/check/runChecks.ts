// Runs checks of the repository beside each other, and shows what each printed when it ends.
import { spawn } from 'node:child_process';
import { killGroup } from '../runner/processTree.ts';

export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Checking {
  readonly env: NodeJS.ProcessEnv;
  /** How many run at a time. */
  readonly lanes: number;
  readonly print: (text: string) => void;
  /** Ends what runs; no other check is begun. */
  readonly signal?: AbortSignal;
}

interface Ended {
  readonly output: string;
  /** Undefined where it succeeded. */
  readonly failure: string | undefined;
}

const runCheck = ({ command, args }: Check, { env, signal }: Checking): Promise<Ended> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (failure: string | undefined): void => {
      signal?.removeEventListener('abort', kill);
      resolve({ output: Buffer.concat(chunks).toString('utf8'), failure });
    };
    // In a group of its own, so that what it starts ends with it.
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => end(error.message));
    child.on('close', (code, by) => end(code === 0 ? undefined : (by ?? `exit code ${code}`)));
    signal?.addEventListener('abort', kill);
  });

/**
 * Runs all checks, in their order, and prints the outcome and the time of each when it ends, with its output where it
 * failed.
 * @returns the checks that failed
 */
export const runChecks = async (checks: readonly Check[], checking: Checking): Promise<Check[]> => {
  const waiting = [...checks];
  const failed: Check[] = [];
  const runLane = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (checking.signal?.aborted) return;
      const beganMs = performance.now();
      const { output, failure } = await runCheck(check, checking);
      if (checking.signal?.aborted) return;
      const seconds = `${((performance.now() - beganMs) / 1_000).toFixed(1)} s`;
      if (failure === undefined) checking.print(`${check.name}: ${seconds}`);
      else checking.print(`${check.name} FAILED: ${failure}, ${seconds}\n${output.trimEnd()}`);
      if (failure !== undefined) failed.push(check);
    }
  };
  await Promise.all(Array.from({ length: checking.lanes }, runLane));
  return failed;
};

// Runs `npm run simulate` as a process, for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('simulate.ts', import.meta.url));

/** What the command printed, and its exit code. */
interface Simulated {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command. `onOutput` receives its output as it is printed. */
export const simulate = (
  args: readonly string[],
  onOutput?: (text: string, child: ChildProcess) => void,
): Promise<Simulated> =>
  new Promise<Simulated>((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        onOutput?.(text, child);
      });
    }
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });

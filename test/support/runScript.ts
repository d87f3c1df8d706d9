// Runs a command as an operator does, in its own process.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Exit code and outputs of a command. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of scripts/ on a data directory. */
export const runScript = (
  script: string,
  dataDir: string,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Run> =>
  new Promise((resolve) => {
    const path = fileURLToPath(new URL(`../../scripts/${script}`, import.meta.url));
    const env = { ...process.env, DATA_DIR: dataDir, ...settings };
    execFile(
      process.execPath,
      [path, ...args],
      { env, timeout: 60_000, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

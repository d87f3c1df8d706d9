// Runs a command as an operator does, in its own process.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 600_000;

/** Exit code and outputs of a command. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRESS = /^[\w ,]+: \d+\/\d+ \w+(?:, \d+ s left)?\n/gm;

/** What a run wrote to standard error besides the progress of its steps, which only slow steps show. */
export const toProblems = ({ stderr }: Run): string => stderr.replaceAll(PROGRESS, '');

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
      { env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const VERIFY = fileURLToPath(new URL('../../scripts/verify.ts', import.meta.url));

/** Runs `npm run verify` with these arguments. Resolves with its exit code and what it printed. */
export const runVerify = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [VERIFY, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });

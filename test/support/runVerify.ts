import { runCommandScript } from './runScript.ts';

/** Runs `npm run verify` with these arguments. Resolves with its exit code and what it printed. */
export const runVerify = async (...args: string[]): Promise<{ code: number; output: string }> => {
  const { code, stdout, stderr } = await runCommandScript('verify.ts', args);
  return { code, output: stdout + stderr };
};

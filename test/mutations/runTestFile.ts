// Runs one file of tests in a tree, until its first failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { killGroup, killTree } from '../runner/processTree.ts';
import type { PrivateTree } from './privateTree.ts';

/** `not loaded`: no test began, because the file or something that it imports can't be loaded. */
export type Outcome = 'passed' | 'failed' | 'timeout' | 'not loaded';

export interface TestRun {
  readonly outcome: Outcome;
  readonly wallMs: number;
  /** The title of the first test that failed, or the last lines that were written. */
  readonly detail: string;
}

const OUTPUT_CHARACTERS_MAX = 20_000;
// A mutant may collect things without an end.
const NODE_ARGUMENTS = ['--max-old-space-size=1536', join('node_modules', 'mocha', 'bin', 'mocha.js')];
const MOCHA_ARGUMENTS = ['--bail', '--reporter', 'tap'];

const running = new Set<ChildProcess>();

/** Kills the tests that run, with everything that they started. */
export const endRunningTests = (): void => {
  for (const child of running) killTree(child.pid!);
};

const toOutcome = (code: number | null, output: string): Outcome => {
  if (code === 0) return 'passed';
  return /^(?:not )?ok \d/m.test(output) ? 'failed' : 'not loaded';
};

const toDetail = (output: string): string =>
  /^not ok \d+ (.*)$/m.exec(output)?.[1] ?? output.trim().split('\n').slice(-3).join('\n');

/**
 * Runs a file; what it started is ended with it.
 * @param limitMs how long it may take
 */
export const runTestFile = (
  { path, temporary }: PrivateTree,
  test: string,
  { limitMs, env = {} }: { readonly limitMs: number; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<TestRun> => {
  const { promise, resolve } = Promise.withResolvers<TestRun>();
  const beginMs = performance.now();
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, ...MOCHA_ARGUMENTS, test], {
    cwd: path,
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  // A failure with a long comparison may be longer than what is kept of the end.
  let [beginning, end] = ['', ''];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      beginning = (beginning + text).slice(0, OUTPUT_CHARACTERS_MAX);
      end = (end + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killTree(child.pid!);
  }, limitMs);
  child.on('exit', () => {
    clearTimeout(limit);
    running.delete(child);
    killGroup(child.pid!);
  });
  child.on('close', (code) => {
    const output = `${beginning}\n${end}`;
    const outcome = isLate ? 'timeout' : toOutcome(code, output);
    resolve({ outcome, wallMs: performance.now() - beginMs, detail: isLate ? 'no end' : toDetail(output) });
  });
  return promise;
};

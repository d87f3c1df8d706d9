// Runs files of tests once, shows what happens, and returns the results.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDiskFull } from './disk.ts';
import { openDisplay, toFailureText, toSummary } from './display.ts';
import { type Failure, type FileResult, FULL_DISK, withLine } from './fileResult.ts';
import { print } from './output.ts';
import { createPool } from './pool.ts';
import { removeDirectory } from './removeDirectory.ts';
import { createShare } from './share.ts';
import { SILENCE_LIMITS } from './testProcess.ts';

/** How files run. */
export interface RunSettings {
  /** In the order in which they start. */
  readonly files: readonly string[];
  readonly jobs: number;
  /** The source of a regular expression for full titles; undefined: all tests. */
  readonly pattern?: string | undefined;
  /** How many times as many runs properties get. */
  readonly runsFactor: number;
}

/** What came of it. */
export interface RunResult {
  readonly results: readonly FileResult[];
  readonly failures: readonly Failure[];
  /** Whether Ctrl-C or a signal ended the run early. */
  readonly isInterrupted: boolean;
}

/** Default limit of a test: a quiet machine needs a tenth of it for the longest. */
const TIMEOUT_MS = 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal that ends this process. */
const untilSignal = (): { signal: Promise<'interrupted'>; ignore: () => void } => {
  const { promise, resolve } = Promise.withResolvers<'interrupted'>();
  const onSignal = (): void => resolve('interrupted');
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: promise,
    ignore: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
};

const makeDirectory = (): string => {
  try {
    return mkdtempSync(join(tmpdir(), 'pt-'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    throw new RangeError(`${(error as Error).message}: name another temporary directory by TMPDIR`);
  }
};

/** Runs the files. Whatever happens, no process and no temporary file is left. */
export const runFiles = async ({ files, jobs, pattern, runsFactor }: RunSettings): Promise<RunResult> => {
  const beginMs = performance.now();
  const toShare = createShare(files);
  const results: FileResult[] = [];
  const failures: Failure[] = [];
  let tests = 0;
  const directory = makeDirectory();
  const env = { ...process.env, TEST_RUNS_FACTOR: String(runsFactor) };
  const pool = createPool(files, jobs, {
    pattern,
    timeoutMs: TIMEOUT_MS,
    silence: SILENCE_LIMITS,
    directory,
    env,
    onTest: () => {
      tests += 1;
    },
    onFailure: (failed) => {
      const failure = isDiskFull(directory) ? withLine(failed, FULL_DISK) : failed;
      failures.push(failure);
      display.print(toFailureText(failure));
    },
    onFile: (result) => {
      results.push(result);
    },
  });
  const display = openDisplay(() => ({
    tests,
    files: files.length,
    filesDone: results.length,
    failed: failures.length,
    share: toShare(results, pool.running()),
    running: pool.running(),
  }));
  const { signal, ignore } = untilSignal();
  let isInterrupted = false;
  try {
    isInterrupted = (await Promise.race([pool.run(), signal])) === 'interrupted';
    return { results, failures, isInterrupted };
  } finally {
    await pool.close();
    ignore();
    display.close();
    const left = removeDirectory(directory);
    if (isInterrupted) print(`interrupted: ${results.length} of ${files.length} files have ended`);
    print(`${toSummary(results, failures, performance.now() - beginMs)}${left}`);
  }
};

// A child process that runs tests, watched: it ends when it gives no sign of life, and what it wrote is kept.
import { type ChildProcess, spawn } from 'node:child_process';
import type { FileJob, TestEvent } from './events.ts';
import { killGroup, killTree } from './processTree.ts';

// In which the last output of an ended process arrives.
const FLUSH_MS = 50;
const OUTPUT_CHARACTERS_MAX = 20_000;

/** Why a process ended. */
export interface ProcessEnd {
  readonly reason: string;
  /** The last characters of what the process wrote, its two outputs together. */
  readonly output: string;
}

export interface TestProcess {
  /** What the process has written since the last call. */
  takeOutput(): string;
  sendJob(job: FileJob): void;
  /** Kills the process with everything that it started. */
  kill(): void;
}

/** How long a process may give no sign of life, in milliseconds. */
export interface SilenceLimits {
  /** While a file is loaded, which may load the compiler or the whole server. */
  readonly loadingMs: number;
  /** Beyond mocha's own limit of a test or hook, and between two of them. */
  readonly graceMs: number;
}

/** Limits for a busy machine. */
export const SILENCE_LIMITS: SilenceLimits = { loadingMs: 90_000, graceMs: 30_000 };

interface Handlers {
  readonly onEvent: (event: TestEvent) => void;
  readonly onEnd: (end: ProcessEnd) => void;
}

/** Collects the last characters of two streams. */
const collectOutput = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  return () => {
    const taken = output;
    output = '';
    return taken;
  };
};

const toReason = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `its process ended with exit code ${code}` : `its process was ended by ${signal}`;

/**
 * Starts a process of tests.
 * @param args of Node: a script and its arguments
 */
export const startTestProcess = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { loadingMs, graceMs }: SilenceLimits,
  { onEvent, onEnd }: Handlers,
): TestProcess => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
  const takeOutput = collectOutput(child);
  let verdict: string | undefined;
  let watch: NodeJS.Timeout | undefined;
  const expectEvent = (title: string, limitMs: number): void => {
    clearTimeout(watch);
    watch = setTimeout(() => {
      verdict = `it hung: no sign of life for ${Math.round(limitMs / 1_000)} s after "${title}" began`;
      killTree(child.pid!);
    }, limitMs);
  };
  child.on('message', (event: TestEvent) => {
    if (event.type === 'fileEnd') clearTimeout(watch);
    else if (event.type === 'begin') expectEvent(event.title, (event.limitMs || loadingMs) + graceMs);
    else expectEvent('the end of a test', graceMs);
    onEvent(event);
  });
  // Not 'close', which children that hold the outputs would delay.
  child.on('exit', (code, signal) => {
    clearTimeout(watch);
    killGroup(child.pid!);
    setTimeout(() => onEnd({ reason: verdict ?? toReason(code, signal), output: takeOutput() }), FLUSH_MS);
  });
  child.on('error', (error) => {
    verdict = error.message;
    if (child.pid === undefined) onEnd({ reason: verdict, output: '' });
  });
  return {
    takeOutput,
    sendJob: (job) => {
      expectEvent(`loading ${job.file}`, loadingMs);
      child.send(job);
    },
    kill: () => killTree(child.pid!),
  };
};

// What a person sees while tests run, and at the end.
import { clearLine, cursorTo } from 'node:readline';
import type { Failure, FileProgress, FileResult } from './fileResult.ts';
import { print, write } from './output.ts';

// A terminal shows the present state; a log gets a line from time to time.
const TERMINAL_MS = 500;
const LOG_MS = 15_000;

/** What the display asks for. */
export interface State {
  readonly tests: number;
  readonly files: number;
  readonly filesDone: number;
  readonly failed: number;
  /** Share of the recorded time of all files that is done, from 0 to 1. */
  readonly share: number;
  readonly running: readonly FileProgress[];
}

const toClock = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const toName = (file: string): string => file.replace(/^test\//, '').replace(/\.test\.ts$/, '');

/** One line: the time, what is done, what runs, and how much is left. */
const toLine = (state: State, elapsedMs: number): string => {
  const left = state.share > 0.02 ? `, about ${toClock((elapsedMs / state.share) * (1 - state.share))} left` : '';
  const running = state.running.map(({ file, current }) => `${toName(file)}: ${current}`).join(' | ');
  const done = `${state.filesDone} of ${state.files} files, ${state.tests} tests, ${state.failed} failed`;
  return `[${toClock(elapsedMs)}] ${done}${left}; now ${running}`;
};

export interface Display {
  /** Prints lines above the state. */
  print(text: string): void;
  close(): void;
}

/** Shows the state again and again until it is closed. */
export const openDisplay = (readState: () => State): Display => {
  const beginMs = performance.now();
  const { stdout } = process;
  const clear = (): void => {
    if (!stdout.isTTY) return;
    cursorTo(stdout, 0);
    clearLine(stdout, 0);
  };
  const show = (): void => {
    const line = toLine(readState(), performance.now() - beginMs);
    clear();
    write(stdout.isTTY ? line.slice(0, (stdout.columns || 80) - 1) : `${line.slice(0, 300)}\n`);
  };
  const timer = setInterval(show, stdout.isTTY ? TERMINAL_MS : LOG_MS);
  return {
    print: (text) => {
      clear();
      print(text);
    },
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that repeats a failure alone. */
export const toRepeatCommand = ({ file, title, isTest }: Failure): string =>
  `npm test -- ${/^[\w./-]+$/.test(file) ? file : quote(file)}${isTest ? ` --title ${quote(title!)}` : ''}`;

/** A failure, when it happens. */
export const toFailureText = ({ file, title, text }: Failure): string =>
  `\nFAILED ${title === undefined ? file : `${file}: ${title}`}\n${text}\n`;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const sum = (results: readonly FileResult[], of: (result: FileResult) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** What is said at the end: what was skipped and why, then the failures with the commands that repeat them. */
export const toSummary = (results: readonly FileResult[], failures: readonly Failure[], elapsedMs: number): string => {
  const skipped = sum(results, (result) => result.skipped);
  const missing = new Set(results.flatMap((result) => result.missing));
  const lines = [...missing].map((what) => `skipped: ${what}`);
  if (failures.length > 0)
    lines.push('', `${plural(failures.length, 'failure')}, each with the command that repeats it:`);
  for (const failure of failures)
    lines.push(`  ${failure.title ?? `${failure.file} as a whole`}`, `    ${toRepeatCommand(failure)}`);
  lines.push('', `${plural(results.length, 'file')} in ${toClock(elapsedMs)}`);
  lines.push(`${sum(results, (result) => result.passed)} passed, ${failures.length} failed, ${skipped} skipped`);
  return lines.join('\n');
};

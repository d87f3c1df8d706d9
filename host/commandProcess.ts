// What a command has of its process: a program that calls commands gives each its own, so that they run side by side.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { toVisibleLine } from '../ledger/encoding/visible.ts';

type Output = NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>;

/** The part of a process that a command uses; `process` itself is one. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Undefined: nothing can be asked. */
  readonly stdin?: NodeJS.ReadableStream;
  exitCode?: NodeJS.Process['exitCode'];
}

const given = new AsyncLocalStorage<CommandProcess>();

/** What the command that is running was given, else this process. */
export const thisProcess = (): CommandProcess => given.getStore() ?? process;

/** Runs a task, and what it begins, with the environment, the outputs and the exit code of another process. */
export const runAs = <T>(other: CommandProcess, task: () => Promise<T>): Promise<T> => given.run(other, task);

const toConsole = (): Pick<Console, 'log' | 'error'> => {
  const other = given.getStore();
  return other === undefined ? globalThis.console : new Console(other.stdout, other.stderr);
};

/** Clears a line of progress that a terminal shows, from its beginning (ECMA-48: EL). */
const CLEAR_LINE = '\r\x1b[K';

/**
 * Prints lines on the outputs of `thisProcess`: everything that a program of this project prints goes through it. A
 * line is a line whatever text of others is in it (a file's, a node's, an importer's): what isn't seen is escaped.
 */
export const console = {
  log: (...lines: readonly string[]): void => {
    for (const line of lines) toConsole().log(toVisibleLine(line));
  },
  /** On a terminal, the first one takes the place of the progress that is shown. */
  error: (...lines: readonly string[]): void => {
    const start = thisProcess().stderr.isTTY === true ? CLEAR_LINE : '';
    for (const [index, line] of lines.entries()) toConsole().error((index === 0 ? start : '') + toVisibleLine(line));
  },
};

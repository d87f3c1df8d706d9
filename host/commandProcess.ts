// What a command has of its process: a program that calls commands gives each its own, so that they run side by side.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';

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

/** The console on the outputs of `thisProcess`. */
export const console: Pick<Console, 'log' | 'error'> = {
  log: (...values) => toConsole().log(...values),
  error: (...values) => toConsole().error(...values),
};

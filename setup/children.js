// Runs the programs that set-up needs, each in a process group of its own, so that nothing of it outlives set-up.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { SetupError } from './platforms.js';
import { killGroup } from './processes.js';
import { print, showProgress } from './terminal.js';

/**
 * @typedef {object} Program
 * @property {string} title what it does, for the terminal
 * @property {string} command
 * @property {readonly string[]} args
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {string} advice what to do when it fails
 */

/**
 * Receives the process group of a program when it has started, and undefined when it has ended.
 * @typedef {(pid: number | undefined) => void} OnChild
 */

/** Leaders of the process groups that are to end with set-up. @type {Set<number>} */
const running = new Set();

/**
 * Lets a process group end when a signal ends set-up, until the returned function is called.
 * @param {number} pid its leader
 * @returns {() => void}
 */
export const own = (pid) => {
  running.add(pid);
  return () => running.delete(pid);
};

/** @param {NodeJS.Signals} signal */
const stop = (signal) => {
  for (const pid of running) killGroup(pid);
  process.stderr.write('\n');
  print('stopped; run the command again to go on');
  process.exit(128 + constants.signals[signal]);
};

/**
 * Ends set-up and what it has started on the signals that end a program. The exit code is 128 plus the signal's number,
 * as in a shell.
 */
export const stopOnSignals = () => {
  // Node would open a debugger; its option against that is unknown to Node 20.
  process.on('SIGUSR1', () => {});
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, stop);
};

/**
 * Runs a program to its end and returns what it wrote to standard output.
 * @param {Program} program
 * @param {OnChild} onChild
 * @returns {Promise<string>}
 * @throws {SetupError} when it does not start or fails, with what it wrote
 */
export const runProgram = async ({ title, command, args, env, cwd, advice }, onChild) => {
  const end = showProgress(title);
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const disown = child.pid === undefined ? undefined : own(child.pid);
  if (child.pid !== undefined) onChild(child.pid);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const failure = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  disown?.();
  onChild(undefined);
  end(failure === undefined ? 'done' : 'failed');
  if (failure === undefined) return output;
  throw new SetupError([output, errors, `${title}: ${failure}. ${advice}`].filter(Boolean).join('\n'));
};

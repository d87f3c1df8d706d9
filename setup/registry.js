// Runs the steps that download, and asks the registry for a sign of life beside each: npm itself says nothing while it
// tries again, for 40 s and longer.
import { spawn } from 'node:child_process';
import { own, runProgram } from './children.js';
import { root } from './installed.js';
import { toNpm } from './npm.js';
import { killGroup } from './processes.js';
import { print } from './terminal.js';

/** Below the 10 s within which a person shall read it. */
const ANSWER_MS = 8000;
const OPTIONS = ['--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`, '--loglevel=notice', '--no-update-notifier'];
/** How npm names a failure: `npm error` since 10, `npm ERR!` before. */
const CODE = /^npm (?:error|ERR!) code (\S+)$/m;
const REASON = /\bfailed, reason: (.*\S)/;
const REGISTRY = /\bPING (\S+)/;
/** A status of HTTP (E404) is an answer; ENOTCACHED means that npm is set to stay offline. */
const NOT_UNREACHABLE = /^(?:E\d{3}|ENOTCACHED)$/;

/**
 * @param {string} output of `npm ping`
 * @param {string} reason
 */
const warn = (output, reason) => {
  const [, registry = 'of npm'] = REGISTRY.exec(output) ?? [];
  print(
    `the registry ${registry} does not answer: ${reason}. It goes on, because a slow network or npm's cache may be ` +
      'enough. Otherwise connect this machine, or name a registry or proxy that it can reach ' +
      '(npm config set registry URL, npm config set proxy URL), and run the command again.',
  );
};

/**
 * Asks the registry that npm is configured with, through its proxy. Prints one line when it can't be reached or doesn't
 * answer within 8 s. The returned function ends the asking.
 * @returns {() => void}
 */
const watchRegistry = () => {
  const { command, args, env } = toNpm(process.execPath, ['ping', ...OPTIONS]);
  const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const { pid } = child;
  // The step starts the same program, and reports that it does not start.
  child.once('error', () => {});
  if (pid === undefined) return () => {};
  const disown = own(pid);
  let output = '';
  /** @param {string | undefined} [reason] */
  const end = (reason) => {
    clearTimeout(timer);
    disown();
    child.removeAllListeners('close');
    if (child.exitCode === null && child.signalCode === null) killGroup(pid);
    if (reason !== undefined) warn(output, reason);
  };
  const timer = setTimeout(end, ANSWER_MS, `nothing within ${ANSWER_MS / 1000} s`);
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  child.once('close', () => {
    const [, code = 'E200'] = CODE.exec(output) ?? [];
    end(NOT_UNREACHABLE.test(code) ? undefined : (REASON.exec(output)?.[1] ?? code));
  });
  return end;
};

/**
 * Runs a program that downloads from the registry, as `runProgram` does. While it runs, one line says when the registry
 * can't be reached.
 * @param {import('./children.js').Program} program
 * @param {import('./children.js').OnChild} onChild
 * @returns {Promise<string>}
 * @throws {import('./platforms.js').SetupError} when it does not start or fails, with what it wrote
 */
export const runDownload = async (program, onChild) => {
  const end = watchRegistry();
  try {
    return await runProgram(program, onChild);
  } finally {
    end();
  }
};

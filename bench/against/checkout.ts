// Another commit of this repository in a directory of its own, with its own packages.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** This repository. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

const runGit = async (repository: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)('git', ['-C', repository, ...args]);
  return stdout.trim();
};

/**
 * The full name of a commit.
 * @throws Error when the repository has no such commit
 */
export const resolveCommit = async (repository: string, revision: string): Promise<string> => {
  try {
    return await runGit(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch (error) {
    throw new Error(`${revision} is no commit of this repository`, { cause: error });
  }
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

// What an earlier run prepared is used only if it is this commit and nobody changed it.
const assertCheckout = async (path: string, commit: string): Promise<void> => {
  const head = await runGit(path, 'rev-parse', 'HEAD');
  const changes = await runGit(path, 'status', '--porcelain');
  if (head !== commit) throw new Error(`${path} is a checkout of ${head}, not of ${commit}`);
  if (changes !== '') throw new Error(`files of ${path} were changed:\n${changes}`);
};

/**
 * Checks a commit out as a worktree. A directory that exists must be such a worktree, unchanged.
 * @throws Error when it is anything else
 */
export const checkOut = async (repository: string, commit: string, path: string): Promise<void> => {
  if (await isThere(path)) await assertCheckout(path, commit);
  else await runGit(repository, 'worktree', 'add', '--detach', path, commit);
};

/** Removes a worktree with everything in it. Nothing happens if there is none. */
export const removeCheckout = async (repository: string, path: string): Promise<void> => {
  if (!(await isThere(path))) return;
  // A package manager that was just killed may still be creating files.
  await rm(path, { recursive: true, force: true, maxRetries: 10 });
  await runGit(repository, 'worktree', 'remove', '--force', path);
};

/**
 * Runs the set-up of a checkout, which prints its progress on standard error. It does nothing when an earlier run did
 * it. `signal` ends it, and what it started.
 * @throws Error when it fails
 */
export const setUpCheckout = async (path: string, signal: AbortSignal): Promise<void> => {
  // A process group of its own, because set-ups of some commits do not end what they started.
  const child = spawn(process.execPath, [join('scripts', 'setup.js')], { cwd: path, stdio: 'inherit', detached: true });
  const exited = once(child, 'exit');
  const kill = () => process.kill(-child.pid!, 'SIGTERM');
  signal.addEventListener('abort', kill);
  try {
    const [code] = await exited;
    if (code !== 0) throw new Error(`the set-up of ${path} fails`);
  } finally {
    signal.removeEventListener('abort', kill);
  }
};

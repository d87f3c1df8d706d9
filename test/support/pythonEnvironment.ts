// Python environments for the tests that need Python packages, in the git-ignored folder .python/. Each belongs to one
// list of pinned packages and one Python: its directory's name contains the digest of both, and it gets that name when
// it is complete.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENVIRONMENTS = fileURLToPath(new URL('../../.python/', import.meta.url));
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** A Python of this machine that can create environments. */
export interface Python {
  readonly command: string;
  /** Version and path, which an environment depends on. */
  readonly description: string;
}

/** Packages of an environment. */
export interface Requirements {
  /** Names the environment in messages and in its directory. */
  readonly name: string;
  /** Files in pip's format with versions and hashes; the first one may include the others. */
  readonly files: readonly string[];
}

const probe = (minor: number): string =>
  `import ensurepip, sys, venv; assert sys.version_info >= (3, ${minor}); print(sys.version, sys.base_prefix)`;

/** The first of `python3` and `python` that is Python 3.`minor` or newer with venv and pip. */
export const findPython = (minor: number): Python | undefined => {
  for (const command of ['python3', 'python']) {
    const { status, stdout } = spawnSync(command, ['-c', probe(minor)], { encoding: 'utf8' });
    if (status === 0) return { command, description: stdout };
  }
  return undefined;
};

const log = (text: string): boolean => process.stderr.write(`python: ${text}\n`);

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const digestOf = async ({ files }: Requirements, python: Python): Promise<string> => {
  const hash = createHash('sha256').update(python.description);
  for (const file of files) hash.update('\0').update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
};

// Deletes the environments of runs that were killed while they installed.
const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const pid = /^unfinished-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
};

const removeOthers = async (folder: string, name: string, current: string): Promise<void> => {
  const others = (await readdir(folder)).filter((entry) => entry.startsWith(`${name}-`) && entry !== current);
  await Promise.all(others.map((entry) => rm(join(folder, entry), { recursive: true, force: true })));
};

const pythonIn = (directory: string): string => join(directory, 'bin', 'python');

const install = async ({ name, files }: Requirements, python: Python, directory: string): Promise<void> => {
  try {
    await run(python.command, ['-m', 'venv', directory]);
    const packages = ['--require-hashes', '--no-input', '--quiet', '--requirement', files[0]!];
    const options = { maxBuffer: OUTPUT_BYTES_MAX };
    await run(pythonIn(directory), ['-m', 'pip', 'install', '--disable-pip-version-check', ...packages], options);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const hint =
      'check that pip reaches its package index (pip config list, pip index versions requests) and run again';
    throw new Error(`the Python packages of ${name} can't be installed; ${hint}\n${stdout}${stderr}`, { cause: error });
  }
};

// Another run may have created the same environment in the meantime. Both are equal, so either is kept.
const moveTo = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to);
  } catch (error) {
    await rm(from, { recursive: true, force: true });
    if (!existsSync(pythonIn(to))) throw error;
  }
};

const create = async (requirements: Requirements, python: Python, folder: string, entry: string): Promise<void> => {
  const startedMs = Date.now();
  log(`creating the environment ${requirements.name} ...`);
  const unfinished = join(folder, `unfinished-${process.pid}-${requirements.name}`);
  await install(requirements, python, unfinished);
  await moveTo(unfinished, join(folder, entry));
  await removeOthers(folder, requirements.name, entry);
  log(`environment ${requirements.name} created in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
};

/**
 * Returns the path of the Python of an environment with exactly these packages, and creates the environment if it
 * doesn't exist. Its modules run as `python -m MODULE`. Rejects with pip's output when the packages can't be installed.
 */
export const openPythonEnvironment = async (
  requirements: Requirements,
  python: Python,
  folder = ENVIRONMENTS,
): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const entry = `${requirements.name}-${await digestOf(requirements, python)}`;
  if (!existsSync(join(folder, entry))) {
    await removeUnfinished(folder);
    await create(requirements, python, folder, entry);
  }
  return pythonIn(join(folder, entry));
};

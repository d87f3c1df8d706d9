// geth in the pinned version, built by the Go toolchain and kept in the git-ignored folder .engines/. A binary gets its
// name when it is complete.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../support/sources.ts';

/** The last version whose nodes can make blocks by clique without a beacon chain. */
const VERSION = '1.13.15';
const MODULE = `github.com/ethereum/go-ethereum/cmd/geth@v${VERSION}`;
const CACHE = join(ROOT, '.engines');
const PERIOD_MS = 10_000;
const SHOWN_LINES = 20;

/** From this minor version of Go on, the linker checks names, and refuses some that geth links to. */
const MINOR_THAT_CHECKS = 23;

const toBinary = (folder: string): string => join(folder, `geth-${VERSION}`);

const readGoMinor = (): number | undefined => {
  const { status, stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  const minor = status === 0 ? /\bgo1\.(\d+)/.exec(stdout)?.[1] : undefined;
  return minor === undefined ? undefined : Number(minor);
};

// Go's own output names each module that it downloads and each package that it compiles.
const runGo = async (args: readonly string[], directory: string): Promise<void> => {
  const beganMs = performance.now();
  const lines: string[] = [];
  const toSeconds = (): string => `${((performance.now() - beganMs) / 1_000).toFixed(0)} s`;
  const child = spawn('go', args, { env: { ...process.env, GOBIN: directory }, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const timer = setInterval(() => {
    const downloaded = lines.filter((line) => line.startsWith('go: downloading')).length;
    const compiled = lines.length - downloaded;
    console.error(`building geth: ${downloaded} modules downloaded, ${compiled} packages compiled, ${toSeconds()}`);
  }, PERIOD_MS);
  const [code] = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`geth can't be built (exit code ${code}):\n${lines.slice(-SHOWN_LINES).join('\n')}`);
  console.error(`geth ${VERSION} built in ${toSeconds()}`);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

// A build that was killed leaves its folder.
const removeUnfinished = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const pid = /^unfinished-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true });
  }
};

const build = async (folder: string, binary: string, goMinor: number): Promise<void> => {
  const unfinished = join(folder, `unfinished-${process.pid}`);
  const flags = goMinor >= MINOR_THAT_CHECKS ? ['-ldflags=-checklinkname=0'] : [];
  console.error(`building geth ${VERSION}, once: about 4 minutes of CPU time and 400 MB of modules`);
  try {
    await mkdir(unfinished, { recursive: true });
    await removeUnfinished(folder);
    await runGo(['install', '-v', ...flags, MODULE], unfinished);
    await rename(join(unfinished, 'geth'), binary);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
};

/** The path of geth, undefined where it isn't built. */
export const findGeth = (folder = CACHE): string | undefined => {
  const binary = toBinary(folder);
  return existsSync(binary) ? binary : undefined;
};

/**
 * The path of geth, which is built if `folder` doesn't have it; undefined without a Go toolchain. Rejects with the last
 * lines of Go when it can't be built.
 */
export const openGeth = async (folder = CACHE): Promise<string | undefined> => {
  const built = findGeth(folder);
  if (built !== undefined) return built;
  const goMinor = readGoMinor();
  if (goMinor === undefined) return undefined;
  const binary = toBinary(folder);
  await build(folder, binary, goMinor);
  return binary;
};

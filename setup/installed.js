// Reads the machine and what is installed, and writes the stamps that record it. A stamp lies beside what it describes,
// so that deleting `node_modules` or `artifacts` deletes the stamp as well.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toFetchedNode } from './plan.js';
import { SetupError, toNodePackage } from './platforms.js';

/** Absolute path of the repository, links resolved. */
export const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));

/** The link to the Node that the npm scripts run. */
export const NODE_LINK = join(root, '.node', 'bin', 'node');

const STAMPS = {
  runtime: join(root, 'node_modules', '.setup-runtime'),
  development: join(root, 'node_modules', '.setup-development'),
  unfinished: join(root, 'node_modules', '.setup-unfinished'),
  contracts: join(root, 'artifacts', '.setup'),
  explorer: join(root, 'explorer', 'dist', '.setup'),
};

/** @typedef {keyof typeof STAMPS} Stamp */

const isMusl = () => {
  // Without the open connections, which would be looked up by name.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return header.glibcVersionRuntime === undefined;
};

/** @returns {import('./platforms.js').Machine} */
const readMachine = () => ({
  platform: process.platform,
  arch: process.arch,
  libc: process.platform === 'linux' ? (isMusl() ? 'musl' : 'glibc') : undefined,
  nodeVersion: process.versions.node,
  nodePath: realpathSync(process.execPath),
});

/** @param {string} path */
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

/**
 * @param {readonly string[]} parts
 * @param {readonly string[]} paths relative to the repository
 */
const digestOf = (parts, paths) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
};

const contractSources = () =>
  readdirSync(join(root, 'contracts'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('contracts', name))
    .filter((path) => path.endsWith('.sol'))
    .sort();

// Everything that the browser's program is bundled from.
const explorerSources = () =>
  ['explorer', 'ledger']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => !path.startsWith(join('explorer', 'dist')) && statSync(join(root, path)).isFile())
    .sort();

/** @param {import('./platforms.js').Machine} machine */
const isNodeFetched = (machine) => {
  try {
    return existsSync(join(root, toFetchedNode(toNodePackage(machine))));
  } catch (error) {
    if (error instanceof SetupError) return false;
    throw error;
  }
};

/**
 * Reads everything that the plan depends on.
 * @param {import('./plan.js').Goal} goal
 * @returns {import('./plan.js').Situation}
 */
export const readSituation = (goal) => {
  const machine = readMachine();
  const { platform, arch, libc = '' } = machine;
  return {
    machine,
    lockfile: JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
    root,
    goal,
    expected: {
      packages: digestOf([platform, arch, libc], ['package-lock.json']),
      contracts: digestOf([], ['package-lock.json', 'hardhat.config.ts', ...contractSources()]),
      explorer: digestOf([], ['package-lock.json', join('scripts', 'buildExplorer.ts'), ...explorerSources()]),
    },
    installed: {
      node: existsSync(NODE_LINK) ? realpathSync(NODE_LINK) : undefined,
      isNodeFetched: isNodeFetched(machine),
      runtime: readIfThere(STAMPS.runtime),
      development: readIfThere(STAMPS.development),
      isUnfinished: existsSync(STAMPS.unfinished),
      contracts: readIfThere(STAMPS.contracts),
      explorer: readIfThere(STAMPS.explorer),
    },
  };
};

/**
 * @param {Stamp} stamp
 * @param {string} digest
 */
export const writeStamp = (stamp, digest) => {
  mkdirSync(dirname(STAMPS[stamp]), { recursive: true });
  writeFileSync(STAMPS[stamp], digest);
};

/** @param {Stamp[]} stamps */
export const removeStamps = (...stamps) => {
  for (const stamp of stamps) rmSync(STAMPS[stamp], { force: true });
};

// Fetches a Node from the registry that npm is configured with, and uses it only when its bytes are those that this
// repository names.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from './children.js';
import { root } from './installed.js';
import { toNpm } from './npm.js';
import { toFetchedNode } from './plan.js';
import { SetupError } from './platforms.js';
import { runDownload } from './registry.js';

const NODE_FOLDER = join(root, '.node');
const INSTALL_YOURSELF = 'Or install Node 24 or newer yourself, then run the command again.';

/**
 * @param {string} tarball path
 * @param {import('./plan.js').FetchNode} step
 * @throws {SetupError} when the bytes are others than those that the repository names
 */
const checkIntegrity = (tarball, { package: { name, integrity }, version }) => {
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (found === integrity) return;
  throw new SetupError(
    `${name}@${version} from the registry has the integrity ${found}; setup/platforms.js requires ${integrity}. ` +
      `It was not used. Check which registry npm uses (npm config get registry). ${INSTALL_YOURSELF}`,
  );
};

/** @param {(name: string) => boolean} isUnwanted */
const removeFolders = (isUnwanted) => {
  const names = readdirSync(NODE_FOLDER).filter(isUnwanted);
  for (const name of names) rmSync(join(NODE_FOLDER, name), { recursive: true });
};

/** @typedef {import('./children.js').OnChild} OnChild */

/**
 * @param {import('./plan.js').FetchNode} step
 * @param {string} draft
 * @param {OnChild} onChild
 */
const download = async (step, draft, onChild) => {
  const { name } = step.package;
  await runDownload(
    {
      title: `fetching Node ${step.version} (${name}, 57 MB)`,
      ...toNpm(process.execPath, ['pack', `${name}@${step.version}`, '--pack-destination', draft, '--loglevel=error']),
      cwd: root,
      advice: `Check the network and the registry (npm config get registry). ${INSTALL_YOURSELF}`,
    },
    onChild,
  );
  return join(draft, `${name}-${step.version}.tgz`);
};

/**
 * Unpacks the executable alone: the rest of the package (headers, manuals) would add 70 MB.
 * @param {import('./plan.js').FetchNode} step
 * @param {string} tarball
 * @param {OnChild} onChild
 */
const unpack = async ({ package: { executable } }, tarball, onChild) => {
  const draft = dirname(tarball);
  await runProgram(
    {
      title: 'unpacking Node',
      command: 'tar',
      args: ['-xzf', tarball, '-C', draft, `package/${executable}`],
      env: process.env,
      cwd: root,
      advice: `Check that the machine has tar and gzip, and 300 MB of free disk space. ${INSTALL_YOURSELF}`,
    },
    onChild,
  );
  const unpacked = join(draft, 'package', executable);
  chmodSync(unpacked, 0o755);
  return unpacked;
};

/**
 * @param {string} node
 * @param {OnChild} onChild
 */
const tryNode = (node, onChild) =>
  runProgram(
    {
      title: 'trying Node',
      command: node,
      args: ['--version'],
      env: process.env,
      cwd: root,
      advice: `This machine does not run the Node that npm has for it. ${INSTALL_YOURSELF}`,
    },
    onChild,
  );

/**
 * Fetches, checks, unpacks and tries a Node, then moves it to where `toFetchedNode` has it. Removes other versions.
 * @param {import('./plan.js').FetchNode} step
 * @param {OnChild} onChild
 * @throws {SetupError}
 */
export const fetchNode = async (step, onChild) => {
  mkdirSync(NODE_FOLDER, { recursive: true });
  // Those of set-ups that were killed.
  removeFolders((name) => name.startsWith('draft-'));
  const draft = mkdtempSync(join(NODE_FOLDER, 'draft-'));
  try {
    const tarball = await download(step, draft, onChild);
    checkIntegrity(tarball, step);
    const unpacked = await unpack(step, tarball, onChild);
    await tryNode(unpacked, onChild);
    removeFolders((name) => name.startsWith('node-'));
    renameSync(dirname(unpacked), dirname(join(root, toFetchedNode(step.package))));
  } finally {
    rmSync(draft, { recursive: true });
  }
};

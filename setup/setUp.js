// Carries out the steps of the plan.
import { accessSync, constants, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runProgram } from './children.js';
import { assertSpace } from './disk.js';
import { fetchNode } from './fetchNode.js';
import { NODE_LINK, readSituation, removeStamps, root, writeStamp } from './installed.js';
import { acquireLock } from './lock.js';
import { toNpm } from './npm.js';
import { planSetup } from './plan.js';
import { SetupError } from './platforms.js';
import { runDownload } from './registry.js';
import { showProgress } from './terminal.js';

/** @typedef {import('./plan.js').Situation} Situation */
/** @typedef {import('./children.js').OnChild} OnChild */

const NPM_OPTIONS = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Creates or replaces a link in one step, because another terminal may be running what it leads to. A link inside the
 * repository is relative, so that the repository can be moved.
 * @param {string} path
 * @param {string} target
 */
const link = (path, target) => {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const draft = `${path}-${process.pid}`;
  symlinkSync(target.startsWith(join(root, '/')) ? relative(folder, target) : target, draft);
  renameSync(draft, path);
};

/** @param {import('./plan.js').InstallPackages} step */
const toNpmArguments = ({ goal, isClean }) => {
  if (goal === 'runtime') return ['ci', '--omit=dev'];
  return isClean ? ['ci', '--include=dev'] : ['install', '--include=dev', '--no-save'];
};

/** @param {string} engine */
const checkEngine = (engine) => {
  if (existsSync(join(root, 'node_modules', engine))) return;
  throw new SetupError(
    `npm left out ${engine}, the native package of the chain's engine, as it does with an optional package that it ` +
      'cannot fetch. Check the network, and that npm does not omit optional packages (npm config get omit), ' +
      'then run the command again.',
  );
};

/**
 * An interrupted installation leaves no stamp, so that the next one begins again with empty folders.
 * @param {import('./plan.js').InstallPackages} step
 * @param {Situation} situation
 * @param {OnChild} onChild
 */
const installPackages = async (step, { expected }, onChild) => {
  removeStamps('development');
  if (step.isClean) removeStamps('runtime');
  else writeStamp('unfinished', '');
  const args = toNpmArguments(step);
  await runDownload(
    {
      title: `installing packages for ${step.goal} (npm ${args[0]})`,
      ...toNpm(NODE_LINK, [...args, ...NPM_OPTIONS]),
      cwd: root,
      advice: 'Check the network and the registry (npm config get registry), then run the command again.',
    },
    onChild,
  );
  checkEngine(step.engine);
  // npx and npm put this folder first on the PATH.
  link(join(root, 'node_modules', '.bin', 'node'), NODE_LINK);
  writeStamp('runtime', expected.packages);
  if (step.goal === 'development') writeStamp('development', expected.packages);
  removeStamps('unfinished');
};

/**
 * @param {Situation} situation
 * @param {OnChild} onChild
 */
const compileContracts = async ({ expected }, onChild) => {
  await runProgram(
    {
      title: 'compiling contracts (hardhat build)',
      command: NODE_LINK,
      args: [join(root, 'node_modules', '.bin', 'hardhat'), 'build', '--quiet'],
      env: process.env,
      cwd: root,
      advice: 'Correct what the compiler reports, then run the command again.',
    },
    onChild,
  );
  writeStamp('contracts', expected.contracts);
};

/**
 * @param {Situation} situation
 * @param {OnChild} onChild
 */
const buildExplorer = async ({ expected }, onChild) => {
  await runProgram(
    {
      title: 'building the explorer (esbuild)',
      command: NODE_LINK,
      args: [join(root, 'scripts', 'buildExplorer.ts')],
      env: process.env,
      cwd: root,
      advice: 'Correct what esbuild reports, then run the command again.',
    },
    onChild,
  );
  writeStamp('explorer', expected.explorer);
};

/**
 * @param {import('./plan.js').Step} step
 * @param {Situation} situation
 * @param {OnChild} onChild
 */
const perform = async (step, situation, onChild) => {
  if (step.kind === 'fetchNode') await fetchNode(step, onChild);
  if (step.kind === 'linkNode') link(NODE_LINK, step.target);
  if (step.kind === 'installPackages') await installPackages(step, situation, onChild);
  if (step.kind === 'compileContracts') await compileContracts(situation, onChild);
  if (step.kind === 'buildExplorer') await buildExplorer(situation, onChild);
};

/**
 * Brings the repository to a goal. Does nothing, and takes no lock, when everything is in place.
 * @param {import('./plan.js').Goal} goal
 * @throws {SetupError} when the platform has no package or a step fails
 */
export const setUp = async (goal) => {
  if (planSetup(readSituation(goal)).length === 0) return;
  // Said first, because to make a folder on a read-only disk fails with a misleading error (ENOENT).
  accessSync(root, constants.W_OK);
  const { onChild } = await acquireLock(join(root, '.node', 'lock'), (pid) => {
    const end = showProgress(`waiting for another terminal (process ${pid})`);
    return () => end('ended');
  });
  // Read again: the other terminal may have done it.
  const situation = readSituation(goal);
  const steps = planSetup(situation);
  if (steps.some(({ kind }) => kind === 'installPackages')) assertSpace(root, goal);
  for (const step of steps) await perform(step, situation, onChild);
};

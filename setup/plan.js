// Decides what set-up has to do. Pure: the machine, the lockfile and what is installed are arguments, so that every
// platform can be tested on one machine.
import { NODE_MAJOR_MIN, NODE_VERSION, toEnginePackage, toNodePackage } from './platforms.js';

/**
 * `runtime`: what the server and its commands need. `development`: also what tests, checks and benchmarks need.
 * @typedef {'runtime' | 'development'} Goal
 */

/**
 * Digests of what an installation is made from.
 * @typedef {{ packages: string, contracts: string, explorer: string }} Digests
 */

/**
 * What is on the disk.
 * @typedef {object} Installed
 * @property {string | undefined} node absolute path that `.node/bin/node` leads to, undefined when there is none
 * @property {boolean} isNodeFetched whether the package of Node was fetched and unpacked
 * @property {string | undefined} runtime digest that the runtime packages were installed from
 * @property {string | undefined} development digest that all packages were installed from
 * @property {boolean} isUnfinished whether an installation of packages was interrupted
 * @property {string | undefined} contracts digest that the contracts were compiled from
 * @property {string | undefined} explorer digest that the explorer was built from
 */

/**
 * @typedef {{ kind: 'fetchNode', package: import('./platforms.js').NodePackage, version: string }} FetchNode
 * @typedef {{ kind: 'linkNode', target: string }} LinkNode
 * @typedef {{ kind: 'installPackages', goal: Goal, isClean: boolean, engine: string }} InstallPackages
 * @typedef {{ kind: 'compileContracts' }} CompileContracts
 * @typedef {{ kind: 'buildExplorer' }} BuildExplorer
 * @typedef {FetchNode | LinkNode | InstallPackages | CompileContracts | BuildExplorer} Step
 */

/**
 * @typedef {object} Situation
 * @property {import('./platforms.js').Machine} machine
 * @property {import('./platforms.js').Lockfile} lockfile
 * @property {string} root absolute path of the repository
 * @property {Goal} goal
 * @property {Digests} expected
 * @property {Installed} installed
 */

/**
 * The path of a fetched Node, relative to the repository.
 * @param {import('./platforms.js').NodePackage} nodePackage
 */
export const toFetchedNode = ({ name, executable }) =>
  `.node/${name}-${NODE_VERSION}/${executable.replace(/^bin\//, '')}`;

/**
 * A Node inside the repository is not the machine's: set-up fetched it, perhaps in an older version, or it is a package
 * that `npm ci` removes.
 * @param {Situation} situation
 */
const isSuitable = ({ machine, root }) =>
  Number.parseInt(machine.nodeVersion, 10) >= NODE_MAJOR_MIN && !machine.nodePath.startsWith(`${root}/`);

/**
 * @param {Situation} situation
 * @returns {Step[]}
 */
const planNode = (situation) => {
  const { machine, root, installed } = situation;
  if (isSuitable(situation))
    return installed.node === machine.nodePath ? [] : [{ kind: 'linkNode', target: machine.nodePath }];
  const nodePackage = toNodePackage(machine);
  const target = `${root}/${toFetchedNode(nodePackage)}`;
  /** @type {Step[]} */
  const steps = [];
  if (!installed.isNodeFetched) steps.push({ kind: 'fetchNode', package: nodePackage, version: NODE_VERSION });
  if (installed.node !== target) steps.push({ kind: 'linkNode', target });
  return steps;
};

/**
 * Packages for development are added to complete runtime packages, because a server may be running from them.
 * @param {Situation} situation
 * @returns {Step[]}
 */
const planPackages = ({ machine, lockfile, goal, expected, installed }) => {
  const engine = toEnginePackage(machine, lockfile);
  if (installed[goal] === expected.packages) return [];
  const isClean = installed.runtime !== expected.packages || installed.isUnfinished;
  return [{ kind: 'installPackages', goal, isClean, engine }];
};

/**
 * @param {Situation} situation
 * @returns {Step[]}
 */
const planContracts = ({ goal, expected, installed }) =>
  goal === 'development' && installed.contracts !== expected.contracts ? [{ kind: 'compileContracts' }] : [];

/**
 * @param {Situation} situation
 * @returns {Step[]}
 */
const planExplorer = ({ expected, installed }) =>
  installed.explorer === expected.explorer ? [] : [{ kind: 'buildExplorer' }];

/**
 * Returns the steps that bring the repository to its goal, in order; none when everything is in place.
 * @param {Situation} situation
 * @returns {Step[]}
 * @throws {import('./platforms.js').SetupError} on a platform that the service does not run on
 */
export const planSetup = (situation) => [
  ...planNode(situation),
  ...planPackages(situation),
  ...planContracts(situation),
  ...planExplorer(situation),
];

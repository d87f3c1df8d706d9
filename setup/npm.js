// Finds the machine's npm and runs it with a Node of our choice: npm leaves out optional packages whose `engines`
// exclude the Node that runs it, and the chain's engine is such a package.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { SetupError } from './platforms.js';

const CLI = join('npm', 'bin', 'npm-cli.js');

/** npm's program file: the one that runs this script, the one that came with this Node, or the first of the PATH. */
const candidates = () => {
  const besideNode = dirname(realpathSync(process.execPath));
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm'));
  return [
    process.env.npm_execpath ?? '',
    join(besideNode, '..', 'lib', 'node_modules', CLI),
    join(besideNode, 'node_modules', CLI),
    ...onPath,
  ];
};

/**
 * Returns the command that runs npm with a Node. npm may be a program that is not JavaScript (a version manager's);
 * that finds its Node on the PATH.
 * @param {string} node absolute path
 * @param {readonly string[]} args
 * @returns {{ command: string, args: readonly string[], env: NodeJS.ProcessEnv }}
 * @throws {SetupError} when the machine has no npm
 */
export const toNpm = (node, args) => {
  const found = candidates()
    .filter((path) => /(?:^|[\\/])npm(?:-cli\.js)?$/.test(path) && existsSync(path))
    .map((path) => realpathSync(path))[0];
  if (found === undefined) throw new SetupError('npm is not on the PATH. Install npm and run the command again.');
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  return found.endsWith('.js') ? { command: node, args: [found, ...args], env } : { command: found, args, env };
};

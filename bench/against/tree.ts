// The programs of a version of this project, found by its package.json, so that any commit can be run.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServerProcess, startServerProgram } from '../../host/lifecycle/serverProcess.ts';

/** A checked out version whose packages are installed. */
export interface Tree {
  /** Absolute path. */
  readonly path: string;
  /** The version of Node that its `npm start` runs, such as v24.21.0. */
  readonly nodeVersion: string;
  /** The command of each npm script that ends in `exec COMMAND`, without the set-up before it. */
  readonly commands: ReadonlyMap<string, string>;
}

// npm puts the same folder first on the PATH.
const toShell = (command: string): string[] => ['-c', `PATH="$PWD/node_modules/.bin:$PATH"; exec ${command}`];

/** The command that an npm script ends with: `node scripts/setup.js && exec COMMAND`, with or without a variable. */
export const toExecCommand = (script: string): string | undefined => /&& (?:\w+=\S+ )?exec (.+)$/.exec(script)?.[1];

/**
 * Reads how a tree is run.
 * @throws Error when it has no `start` and `token` of the form `... && exec COMMAND`
 */
export const readTree = async (path: string): Promise<Tree> => {
  const { scripts } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const found = Object.entries(scripts).map(([name, script]) => [name, toExecCommand(script)] as const);
  const commands = new Map(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  for (const name of ['start', 'token'])
    if (!commands.has(name)) throw new Error(`npm run ${name} of ${path} does not end in "exec COMMAND"`);
  const node = commands.get('start')!.split(' ')[0]!;
  const { stdout } = await promisify(execFile)('sh', toShell(`${node} --version`), { cwd: path });
  return { path, nodeVersion: stdout.trim(), commands };
};

/** Starts the server of a tree on a data directory. `signal` ends it at once. */
export const startTree = (
  { path, commands }: Tree,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<ServerProcess> => {
  const args = toShell(commands.get('start')!);
  return startServerProgram({ command: 'sh', args, cwd: path, signal }, dataDir, settings);
};

/** A token of the first tenant's root principal. The server of the data directory must run. */
export const issueTreeToken = async (
  { path, commands }: Tree,
  dataDir: string,
  signal: AbortSignal,
): Promise<string> => {
  // `env` adds a variable to those of this process.
  const args = [`DATA_DIR=${dataDir}`, 'sh', ...toShell(commands.get('token')!)];
  const { stdout } = await promisify(execFile)('env', args, { cwd: path, signal });
  return stdout.trim();
};

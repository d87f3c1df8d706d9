// A repository with the real set-up and a small lockfile, and an npm that runs until the test lets it end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toNpm } from '../../setup/npm.js';
import { findFreePort } from '../support/externalNode.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENGINE_PATH = /^node_modules\/@nomicfoundation\/edr-/;

// Logs its start and end with its process id and a child's. Listens on a port, so that it fails while another instance
// runs. Only `npm ping` is the real one's, where a test names a registry.
const NPM = `
if (process.argv[2] === 'ping') return process.env.NPM_REAL ? require(process.env.NPM_REAL) : undefined;
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { NPM_LOG, NPM_PORT, NPM_ENGINES, NPM_CODE, NPM_HOLD } = process.env;
const args = process.argv.slice(2).filter((each) => !/--(?:no-[af]|ignore|prefer|loglevel)/.test(each)).join(' ');
require('node:net').createServer().listen(+NPM_PORT, '127.0.0.1', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const log = (event) => fs.appendFileSync(NPM_LOG, event + ' | ' + args + ' | ' + process.pid + ' ' + child.pid + '\\n');
  log('starts');
  if (args.startsWith('ci')) fs.rmSync('node_modules', { recursive: true, force: true });
  for (const engine of JSON.parse(NPM_ENGINES)) fs.mkdirSync(engine, { recursive: true });
  fs.mkdirSync('node_modules/.bin', { recursive: true });
  fs.writeFileSync('node_modules/.bin/hardhat', '');
  const end = () => {
    if (fs.existsSync(NPM_HOLD)) return;
    child.kill();
    log('ends');
    if (NPM_CODE !== '0') console.error('npm error the registry is away');
    process.exit(+NPM_CODE);
  };
  fs.watch(require('node:path').dirname(NPM_HOLD), end);
  end();
});
`;

// The packages of the real one are not installed in the copy.
const BUILD = "await import('node:fs').then(({ mkdirSync }) => mkdirSync('explorer/dist', { recursive: true }));\n";

export interface SetupRun {
  readonly child: ChildProcess;
  /** Its standard output so far. */
  stdout(): string;
  /** Its standard error so far. */
  stderr(): string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

export interface StartOptions {
  readonly goal?: string;
  readonly npmCode?: number;
  readonly isEndless?: boolean;
  readonly engines?: readonly string[];
  readonly registry?: string;
}

export interface RepositoryCopy {
  readonly root: string;
  /**
   * Starts `node scripts/setup.js GOAL`; its npm installs `engines` and ends with `npmCode`, or never. The machine's
   * npm asks `registry` for a sign of life; undefined: there is one.
   */
  start(options?: StartOptions): SetupRun;
  /** Keeps each npm from ending until the returned function is called. */
  hold(): () => void;
  /** One line for each start and end of npm: the event, arguments and process ids. */
  npmLog(): { event: string; args: string; pids: number[] }[];
  has(path: string): boolean;
}

const writeLockfile = (root: string): string[] => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const engines = Object.fromEntries(Object.entries(packages).filter(([path]) => ENGINE_PATH.test(path)));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: engines }));
  return Object.keys(engines);
};

// npm is CommonJS, also where the temporary directory lies below a package of modules, such as this repository.
const NPM_PACKAGE = '{}';

/** Creates the copy in a directory. */
export const copyRepository = async (directory: string): Promise<RepositoryCopy> => {
  const port = await findFreePort();
  const root = join(realpathSync(directory), 'repository');
  const npm = join(directory, 'npm', 'bin', 'npm-cli.js');
  const log = join(directory, 'npm.log');
  const held = join(directory, 'held');
  for (const folder of ['scripts', 'contracts', 'explorer', 'ledger'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(npm, '..'), { recursive: true });
  writeFileSync(npm, NPM);
  writeFileSync(join(directory, 'npm', 'package.json'), NPM_PACKAGE);
  writeFileSync(log, '');
  cpSync(join(ROOT, 'setup'), join(root, 'setup'), { recursive: true });
  for (const path of ['scripts/setup.js', 'package.json', 'hardhat.config.ts'])
    cpSync(join(ROOT, path), join(root, path));
  writeFileSync(join(root, 'scripts', 'buildExplorer.ts'), BUILD);
  const allEngines = writeLockfile(root);
  return {
    root,
    start: ({ goal = 'runtime', npmCode = 0, isEndless = false, engines = allEngines, registry } = {}) => {
      const env = {
        ...process.env,
        npm_execpath: npm,
        ...(registry === undefined
          ? {}
          : { NPM_REAL: toNpm(process.execPath, []).args[0], npm_config_registry: registry }),
        NPM_LOG: log,
        NPM_PORT: String(port),
        NPM_ENGINES: JSON.stringify(engines),
        NPM_CODE: String(npmCode),
        // While this file is there, npm goes on.
        NPM_HOLD: isEndless ? npm : held,
      };
      const child = spawn(process.execPath, [join(root, 'scripts', 'setup.js'), goal], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
      return { child, stdout: () => stdout, stderr: () => stderr, ended };
    },
    hold: () => {
      writeFileSync(held, '');
      return () => rmSync(held);
    },
    npmLog: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' | '))
        .map(([event, args, pids]) => ({ event: event!, args: args!, pids: pids!.split(' ').map(Number) })),
    has: (path) => existsSync(join(root, path)),
  };
};

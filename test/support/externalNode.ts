// Third-party nodes, each in its own process: anvil where its npm package runs, `hardhat node` everywhere.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createRpcClient, type RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { skipWithout } from './missing.ts';
import { TEST_CHAIN_ID } from './testLedger.ts';
import { WAIT_MS } from './until.ts';

export interface ExternalNode {
  readonly url: string;
  readonly port: number;
  /** Sends any request, including those that only development nodes answer. */
  readonly request: RpcRequest;
  /** Makes a block every so many seconds, none by the clock if 0. anvil takes seconds, Hardhat milliseconds. */
  mineEvery(seconds: number): Promise<unknown>;
  /** Suspends the process, as an overloaded machine does. */
  freeze(): void;
  thaw(): void;
  /** Kills the process; its chain is lost. */
  kill(): Promise<void>;
}

export type NodeKind = 'anvil' | 'hardhat';

const toPath = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const toFoundryPath = (tool: string): string =>
  toPath(`@foundry-rs/${tool}-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/${tool}`);
const ANVIL = toFoundryPath('anvil');
/** Foundry's test runner, if npm has it for this platform. */
export const FORGE = toFoundryPath('forge');
const HARDHAT = toPath('hardhat/dist/src/cli.js');
/** What both kinds print when they answer. */
const LISTENING = /\b(?:Listening on |server at http:\/\/)127\.0\.0\.1:(\d+)/;

/** The quickest kind of node that runs here. */
export const QUICK_NODE: NodeKind = existsSync(ANVIL) ? 'anvil' : 'hardhat';

/** Skips the test where a program of the package for contracts is not installed. */
export const skipWithoutProgram = (test: Mocha.Context, path: string): void => {
  if (!existsSync(path))
    skipWithout(test, `${basename(path)} is not installed; npm has it for some platforms only (test/support/foundry)`);
};

/** Skips the test where anvil is not installed, and prints why. */
export const skipWithoutAnvil = (test: Mocha.Context): void => skipWithoutProgram(test, ANVIL);

// anvil writes the state of each old block to a file, by default below the home directory. A SIGKILL leaves it there.
const statesPath = (): string => mkdtempSync(join(tmpdir(), 'provenance-test-'));
const removeStates = (path: string): void => rmSync(path, { recursive: true, force: true });

/** Processes of nodes, and the directories of their states. */
const running = new Map<ChildProcess, string>();
process.once('exit', () => {
  for (const [child, states] of running) {
    child.kill('SIGKILL');
    removeStates(states);
  }
});

/** A free port of 127.0.0.1. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const toAnvilArguments = (states: string): string[] => ['--chain-id', String(TEST_CHAIN_ID), '--cache-path', states];

const toCommand = (kind: NodeKind, states: string, more: readonly string[]): [string, string[]] =>
  kind === 'anvil'
    ? [ANVIL, [...toAnvilArguments(states), ...more]]
    : [process.execPath, [HARDHAT, 'node', '--hostname', '127.0.0.1', ...more]];

// A node that chooses its port itself can't find it taken by another test.
const readPort = async (child: ChildProcess): Promise<number> => {
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    const port = LISTENING.exec(line)?.[1];
    if (port !== undefined) return Number(port);
    output.push(line);
  }
  throw new Error(`the node does not start: ${output.join('\n')}`);
};

/** Starts a new and empty chain, on any free port. `more` are further arguments of the node. */
export const startNode = async (
  kind: NodeKind,
  options: { port?: number; more?: readonly string[] } = {},
): Promise<ExternalNode> => {
  const states = statesPath();
  const command = toCommand(kind, states, ['--port', String(options.port ?? 0), ...(options.more ?? [])]);
  const child = spawn(...command, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.set(child, states);
  const exited = once(child, 'exit');
  const port = await readPort(child);
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  const request = createRpcClient(url, WAIT_MS);
  return {
    url,
    port,
    request,
    mineEvery: (seconds) => request('evm_setIntervalMining', [kind === 'anvil' ? seconds : seconds * 1_000]),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: async () => {
      running.delete(child);
      child.kill('SIGKILL');
      await exited;
      removeStates(states);
    },
  };
};

const ETHER = 10n ** 18n;

/** Sets the balance of an account, by default to 1000 ether. */
export const setBalance = (node: ExternalNode, address: string, wei = 1000n * ETHER): Promise<unknown> =>
  node.request('hardhat_setBalance', [address, `0x${wei.toString(16)}`]);

// Nodes of other people's making, each in a process of its own: anvil where its npm package runs, `hardhat node` everywhere.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRpcClient, type RpcRequest } from '../../chain/jsonRpc/rpcClient.ts';
import { TEST_CHAIN_ID } from './testLedger.ts';

export interface ExternalNode {
  readonly url: string;
  readonly port: number;
  /** Any request, also those that only a development node answers. */
  readonly request: RpcRequest;
  /** Stops the process where it is, as a machine does that has no time for it. */
  freeze(): void;
  thaw(): void;
  /** Kills it; what it knew is gone. */
  kill(): Promise<void>;
}

export type NodeKind = 'anvil' | 'hardhat';

const toPath = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const toFoundryPath = (tool: string): string =>
  toPath(`@foundry-rs/${tool}-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/bin/${tool}`);
const ANVIL = toFoundryPath('anvil');
/** Foundry's test runner, where npm has it for this platform. */
export const FORGE = toFoundryPath('forge');
const HARDHAT = toPath('hardhat/dist/src/cli.js');
// Just below the timeout of a test: a loaded machine takes its time.
const WAIT_MS_MAX = 240_000;

/** The quicker one of those that run here. */
export const QUICK_NODE: NodeKind = existsSync(ANVIL) ? 'anvil' : 'hardhat';

/** Skips the test where a program is not installed, and prints why. */
export const skipWithout = (test: Mocha.Context, path: string): void => {
  if (existsSync(path)) return;
  console.warn(`skipped: npm has no ${basename(path)} for ${process.platform} ${process.arch} (@foundry-rs)`);
  test.skip();
};

/** Skips the test where anvil is not installed, and prints why. */
export const skipWithoutAnvil = (test: Mocha.Context): void => skipWithout(test, ANVIL);

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A port of 127.0.0.1 that nobody listens on. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const toCommand = (kind: NodeKind, port: number, more: readonly string[]): [string, string[]] =>
  kind === 'anvil'
    ? [ANVIL, ['--silent', '--port', String(port), '--chain-id', String(TEST_CHAIN_ID), ...more]]
    : [process.execPath, [HARDHAT, 'node', '--hostname', '127.0.0.1', '--port', String(port), ...more]];

const waitUntilAnswers = async (request: RpcRequest, child: ChildProcess): Promise<void> => {
  const endMs = Date.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      await request('eth_chainId', []);
      return;
    } catch (cause) {
      if (child.exitCode !== null || Date.now() > endMs) throw new Error('the node does not start', { cause });
    }
    await sleep(20);
  }
};

/** Starts a new and empty chain. `more` are further arguments of the node. */
export const startNode = async (
  kind: NodeKind,
  options: { port?: number; more?: readonly string[] } = {},
): Promise<ExternalNode> => {
  const port = options.port ?? (await findFreePort());
  const child = spawn(...toCommand(kind, port, options.more ?? []), { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const request = createRpcClient(url, WAIT_MS_MAX);
  await waitUntilAnswers(request, child);
  return {
    url,
    port,
    request,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: async () => {
      running.delete(child);
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const ETHER = 10n ** 18n;

/** Gives an account a balance; 1000 ether where nothing else is said. */
export const setBalance = (node: ExternalNode, address: string, wei = 1000n * ETHER): Promise<unknown> =>
  node.request('hardhat_setBalance', [address, `0x${wei.toString(16)}`]);

// Sends seeded requests to the JSON-RPC port of a server in a process of its own: it must live, be ready at the end,
// and have the same chain after another start.
import { type ServerProcess, startServerProcess } from '../../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../../host/operator/runOperatorCommand.ts';
import { until } from '../../support/until.ts';
import { ask, type FuzzedPort, type FuzzReport, sendRequests } from './sendRequests.ts';

interface Block {
  readonly number: string;
  readonly hash: string;
}

/** Budgets that a run doesn't spend. */
const SETTINGS = { CHAIN_GAS_PER_MINUTE: '100000000000', CHAIN_STRANGER_GAS_MAX: '100000000000', LOG_LEVEL: 'error' };

const readBlock = async ({ rpcUrl }: FuzzedPort, number: string): Promise<Block> =>
  (await ask(rpcUrl, 'eth_getBlockByNumber', number, false)) as Block;

// The port refuses everything while the chain is replayed.
const awaitReplay = ({ rpcUrl }: FuzzedPort): Promise<void> =>
  until(() =>
    ask(rpcUrl, 'eth_blockNumber').then(
      () => true,
      () => false,
    ),
  );

const assertReady = async ({ url }: ServerProcess): Promise<void> => {
  const response = await fetch(`${url}/readyz`);
  if (!response.ok) throw new Error(`the server is not ready: ${await response.text()}`);
};

const withServer = async <T>(
  dataDir: string,
  use: (port: FuzzedPort, server: ServerProcess) => Promise<T>,
): Promise<T> => {
  const server = await startServerProcess(dataDir, [], SETTINGS);
  try {
    const port = await runOperatorCommand<FuzzedPort>(dataDir, 'info', {});
    await awaitReplay(port);
    const result = await use(port, server);
    await assertReady(server);
    return result;
  } finally {
    await server.stop('SIGTERM');
  }
};

/**
 * Runs `sendRequests` on a new server in an empty directory. Rejects also when the server isn't ready afterwards, or
 * has another chain after another start: each transaction that was mined must be executed again.
 */
export const fuzzServer = async (
  dataDir: string,
  seed: number,
  isOver: (requests: number) => boolean,
): Promise<FuzzReport & { readonly blocks: number }> => {
  const { report, head } = await withServer(dataDir, async (port) => ({
    report: await sendRequests(port, seed, isOver),
    head: await readBlock(port, 'latest'),
  }));
  await withServer(dataDir, async (port) => {
    const { hash } = await readBlock(port, head.number);
    if (hash !== head.hash) throw new Error(`after another start block ${head.number} is ${hash}, not ${head.hash}`);
  });
  return { ...report, blocks: Number(head.number) };
};

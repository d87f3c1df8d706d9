// A client of a simulated network for tests: the project's own chain port and sender, in a simulated process. Run this
// under `test/simulation/edges/replaceModules.ts`.
import { createRpcChain, type RpcChain } from '../../../../chain/network/rpcChain.ts';
import { createWallet, type Wallet } from '../../../../chain/wallet.ts';
import { createTransactionSender, type TransactionSender } from '../../../../chain/writing/transactionSender.ts';
import { keccak256 } from '../../../../ledger/encoding/keccak.ts';
import { setFetch } from '../../edges/fetch.ts';
import { replaceGlobals } from '../../edges/globals.ts';
import { type SimulatedProcess, startProcess } from '../../world/processes.ts';
import { runToEnd } from '../../world/runToEnd.ts';
import { createWorld, type Note, type World } from '../../world/world.ts';
import { createNetwork, type NetworkOptions, type SimulatedNetwork } from '../network.ts';

/** The project's own port to the chain, and a sender of the client's transactions. */
export interface Connection {
  readonly chain: RpcChain;
  readonly sender: TransactionSender;
}

/** A world with a network and a process that uses it. */
export interface SimulatedClient {
  readonly world: World;
  readonly network: SimulatedNetwork;
  readonly process: SimulatedProcess;
  readonly wallet: Wallet;
  /** Messages of `onProblem`. */
  readonly problems: string[];
  /** Runs a task of the process until it is complete; rejects when it takes more virtual time than `withinMs`. */
  run<T>(task: () => Promise<T>, withinMs?: number): Promise<T>;
  /** Lets virtual time pass. */
  pass(ms: number): Promise<void>;
  /** Connects to the nodes. Call it in a task of the process. */
  open(): Promise<Connection>;
  /** The same, as a task. */
  connect(): Promise<Connection>;
}

const ETHER = 10n ** 18n;
const CHAIN_ID = 424_242;
const WITHIN_MS = 120_000;
const TIMEOUT_MS = 5_000;
const POLL_MS = 500;

/** The wallet whose key is the hash of a name. */
export const walletOf = (name: string): Wallet => createWallet(keccak256(Buffer.from(name, 'utf8')));

const OPTIONS: NetworkOptions = {
  chainId: CHAIN_ID,
  nodes: 1,
  finalDepth: 3,
  blockMs: 1_000,
  baseFeePerGas: 1_000_000_000n,
  timeoutMs: TIMEOUT_MS,
};

const runTask = async <T>(world: World, process: SimulatedProcess, task: () => Promise<T>, withinMs: number) => {
  const ended = await runToEnd(world, process, task, withinMs);
  if (ended === undefined) throw new Error(`the task is not complete after ${withinMs} ms`);
  if ('error' in ended) throw ended.error;
  return ended.value;
};

/** A new world with a network that makes blocks. `wallet` has 1,000 ether there. */
export const createSimulatedClient = (
  seed: number,
  options: Partial<NetworkOptions> = {},
  onNote?: (note: Note) => void,
): SimulatedClient => {
  const world = createWorld(seed, onNote);
  const wallet = walletOf('relayer');
  const network = createNetwork({ ...OPTIONS, balances: { [wallet.address]: 1_000n * ETHER }, ...options });
  replaceGlobals();
  setFetch(network.fetch);
  network.start();
  const process = startProcess({ name: 'server', machine: 'machine', onKilled: () => undefined });
  const problems: string[] = [];
  // As the server has it from its network.json.
  const identity = { chainId: network.options.chainId, genesisHash: network.tree.canonical.blocks[0]!.hash };
  const run: SimulatedClient['run'] = (task, withinMs = WITHIN_MS) => runTask(world, process, task, withinMs);
  const open = async (): Promise<Connection> => {
    const chain = await createRpcChain({
      urls: network.urls,
      identity,
      confirmations: network.options.finalDepth,
      timeoutMs: TIMEOUT_MS,
      pollMs: POLL_MS,
      now: Date.now,
      onProblem: (message) => problems.push(message),
    });
    return { chain, sender: createTransactionSender(chain, wallet) };
  };
  return {
    world,
    network,
    process,
    wallet,
    problems,
    run,
    pass: async (ms) => {
      await world.runUntil(() => false, world.nowMs() + ms);
    },
    open,
    connect: () => run(open),
  };
};

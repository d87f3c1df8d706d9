// A simulated network: a chain of blocks, the validator that makes them, and the nodes that answer clients. Blocks and
// transactions reach each peer after a while.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { type ChainTerms, createGenesisBlock, type SimulatedBlock } from '../chain/blocks.ts';
import type { ChainView } from '../chain/chainView.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { EPOCH_MS } from '../edges/globals.ts';
import { theWorld } from '../world/world.ts';
import { type BlockTree, createBlockTree } from './blockTree.ts';
import { LIES } from './lies.ts';
import { createMiner, type Miner, type Reorg } from './miner.ts';
import { createNode, type SimulatedNode } from './node.ts';
import { createPeer, type Peer } from './peer.ts';
import { createSimulatedFetch, type SimulatedFetch } from './simulatedFetch.ts';
import { SPONSOR } from './sponsor.ts';

/** What stays the same in a network. */
export interface NetworkOptions {
  readonly chainId: number;
  /** Number of nodes that answer clients. */
  readonly nodes: number;
  /** Number of blocks that make a block final, itself included; also decides the tag `finalized`. */
  readonly finalDepth: number;
  /** Mean time between two blocks, in virtual milliseconds. */
  readonly blockMs: number;
  /** Wei; 0 where gas is free. */
  readonly baseFeePerGas: bigint;
  /** The timeout of the clients, in virtual milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970 at the beginning of the world; the epoch of machines' clocks where it is left out. */
  readonly epochMs?: number;
  /** Wei of accounts at the beginning, by lower-case address. */
  readonly balances?: Readonly<Record<Hex, bigint>>;
}

/** A network of nodes. */
export interface SimulatedNetwork {
  readonly options: NetworkOptions;
  readonly nodes: readonly SimulatedNode[];
  readonly urls: readonly string[];
  /** Reaches the nodes at their URLs. */
  readonly fetch: SimulatedFetch;
  readonly validator: Peer;
  readonly miner: Miner;
  /** How often faulty messages, lies, and losses of transactions occurred, by `group: name`. */
  readonly counts: ReadonlyMap<string, number>;
  /** Counts one more of `group: name`. */
  count(name: string): void;
  /** Tenants whose writer a fault has removed and not yet added again. */
  readonly tenantsWithoutWriter: Set<string>;
  /** The canonical chain. */
  readonly chain: ChainView;
  /** All blocks that were canonical once, by their branch. */
  readonly tree: BlockTree;
  /** Replaces the newest blocks. A final block is replaced only with `breaksFinality`. */
  reorganize(reorg: Reorg & { readonly breaksFinality?: boolean }): void;
  /** A transaction of a third party: it reaches every running peer. */
  submit(transaction: DecodedTransaction): void;
  /** Removes transactions from all pools. */
  drop(hashes: readonly Hex[]): void;
  /**
   * Leaves transactions in the pool of one node, and in no other. Returns the function with which the node sends those
   * that it still has to the others.
   */
  keepAt(node: SimulatedNode, transactions: readonly DecodedTransaction[]): () => void;
  /** Ends all faults: every node is up and honest, and blocks are made at their normal price. */
  heal(): void;
  /** Makes blocks from now on, in the current world. */
  start(): void;
}

const SPONSOR_WEI = 10n ** 27n;
const GOSSIP_MS = [5, 150] as const;
const POOL_TRANSACTIONS_MAX = 256;
const TIP_PER_GAS = 1_000_000_000n;
const BLOCK_GAS_LIMIT = 30_000_000;
/** EIP-7825. */
const TRANSACTION_GAS_MAX = 2 ** 24;
const COINBASE: Hex = `0x${'00'.repeat(19)}cb`;

/** Part of the timeout by which a long delay exceeds it. */
const LONG_DELAY = 1.2;

const later = (task: () => void): void => {
  theWorld().schedule(
    theWorld()
      .stream('network gossip')
      .integer(...GOSSIP_MS),
    task,
  );
};

const readWallMs = ({ epochMs = EPOCH_MS }: NetworkOptions): number => epochMs + theWorld().nowMs();

const nodeNames = ({ nodes }: NetworkOptions): string[] => Array.from({ length: nodes }, (_, at) => `node${at + 1}`);

const removeFrom = (peers: readonly Peer[], hashes: readonly Hex[]): void => {
  for (const { pool } of peers) for (const hash of hashes) pool.remove(hash);
};

const countTransactions = (blocks: readonly SimulatedBlock[]): number =>
  blocks.reduce((total, { receipts }) => total + receipts.length, 0);

const isReplacement = ({ pool }: Peer, { hash, from, nonce }: DecodedTransaction): boolean =>
  pool.list().some((other) => other.from === from && other.nonce === nonce && other.hash !== hash);

interface Keeping {
  /** Hashes that no peer sends to others. */
  readonly kept: Set<Hex>;
  readonly drop: (hashes: readonly Hex[]) => void;
  readonly broadcast: (transaction: DecodedTransaction, origin: Peer) => void;
}

const keepAt = (
  { kept, drop, broadcast }: Keeping,
  { peer, follow }: SimulatedNode,
  transactions: readonly DecodedTransaction[],
): (() => void) => {
  const hashes = transactions.map(({ hash }) => hash);
  drop(hashes);
  // A pool refuses nonces that the blocks of its node have used.
  follow();
  for (const transaction of transactions) {
    kept.add(transaction.hash);
    peer.offer(transaction);
  }
  return () => {
    for (const hash of hashes) {
      kept.delete(hash);
      const found = peer.pool.find(hash);
      if (found !== undefined) broadcast(found, peer);
    }
  };
};

const createFrom = (
  options: NetworkOptions,
  tree: BlockTree,
  validator: Peer,
  peers: readonly Peer[],
): SimulatedNetwork => {
  const counts = new Map<string, number>();
  const count = (name: string, by = 1): void => void (by > 0 && counts.set(name, (counts.get(name) ?? 0) + by));
  const kept = new Set<Hex>();
  // Each peer sees a block, and the validator what the nodes' pools have, after a while.
  const announce = (): void => {
    for (const node of nodes) {
      later(() => {
        node.follow();
        if (node.conditions.state === 'up') share(node.peer);
      });
    }
  };
  const share = (peer: Peer): void => {
    for (const transaction of peer.executable().flat()) {
      const { hash } = transaction;
      const isHidden = miner.hasVanished(hash) || kept.has(hash);
      if (validator.pool.find(hash) === undefined && !isHidden) later(() => validator.offer(transaction));
    }
  };
  const miner = createMiner({ ...options, tree, validator, wallMs: () => readWallMs(options), onBlock: announce });
  const broadcast = (transaction: DecodedTransaction, origin?: Peer): void => {
    later(() => validator.offer(transaction));
    for (const node of nodes) if (node.peer !== origin) later(() => node.offer(transaction));
  };
  const nodes = nodeNames(options).map((name, at) =>
    createNode({
      name,
      peer: peers[at]!,
      tipPerGas: options.baseFeePerGas === 0n ? 0n : TIP_PER_GAS,
      longDelayMs: options.timeoutMs * LONG_DELAY,
      hasVanished: miner.hasVanished,
      findReplaced: (hash) => tree.placesOf(hash).find(({ block }) => tree.canonical.blocks[block.number] !== block),
      onAccepted: (transaction) => {
        if (isReplacement(validator, transaction)) count('nonces: replaced with a higher bid');
        broadcast(transaction, peers[at]!);
      },
      onFault: (kind) => count(`${Object.hasOwn(LIES, kind) ? 'lies' : 'faulty messages'}: ${kind}`),
    }),
  );
  const drop = (hashes: readonly Hex[]): void => removeFrom([validator, ...peers], hashes);
  return {
    options,
    nodes,
    urls: nodes.map(({ url }) => url),
    fetch: createSimulatedFetch(new Map(nodes.map((node) => [node.name, node]))),
    validator,
    miner,
    counts,
    count: (name) => count(name),
    tenantsWithoutWriter: new Set(),
    get chain() {
      return validator.view;
    },
    tree,
    reorganize: ({ breaksFinality = false, ...reorg }) => {
      const depthMax = breaksFinality ? tree.tip.number : options.finalDepth - 1;
      const depth = Math.min(reorg.depth, depthMax, tree.tip.number);
      if (depth === 0) return;
      count('lost transactions: removed from blocks', countTransactions(tree.canonical.blocks.slice(-depth)));
      miner.reorganize({ ...reorg, depth });
    },
    submit: broadcast,
    drop: (hashes) => {
      count('lost transactions: dropped from pools', hashes.length);
      drop(hashes);
    },
    keepAt: (node, transactions) => keepAt({ kept, drop, broadcast }, node, transactions),
    heal: () => {
      miner.heal();
      for (const node of nodes) node.heal();
    },
    start: () => miner.start(),
  };
};

const toTerms = ({ chainId }: NetworkOptions): ChainTerms => ({
  chainId,
  blockGasLimit: BLOCK_GAS_LIMIT,
  transactionGasMax: TRANSACTION_GAS_MAX,
  coinbase: COINBASE,
});

/** A network whose chain consists of its genesis block. It stands still until `start`. */
export const createNetwork = (options: NetworkOptions): SimulatedNetwork => {
  const { finalDepth, baseFeePerGas, balances = {} } = options;
  const terms = toTerms(options);
  const withSponsor = { ...balances, [SPONSOR.address]: SPONSOR_WEI };
  const timestampSeconds = Math.floor(readWallMs(options) / 1_000);
  const tree = createBlockTree(
    createGenesisBlock(terms, { timestampSeconds, baseFeePerGas, balances: withSponsor }),
    finalDepth,
  );
  const pool = { terms, transactionsMax: POOL_TRANSACTIONS_MAX, isFree: baseFeePerGas === 0n };
  const peers = nodeNames(options).map(() => createPeer(tree, pool));
  return createFrom(options, tree, createPeer(tree, pool), peers);
};

/**
 * A copy of the network's chain and pools, for another world. Messages in transit and conditions are not copied.
 * `changes` may change the times, the number of nodes to fewer, and the depth of finality.
 */
export const cloneNetwork = (network: SimulatedNetwork, changes: Partial<NetworkOptions> = {}): SimulatedNetwork => {
  const options = { ...network.options, ...changes };
  const tree = network.tree.clone(options.finalDepth);
  const [validator, ...peers] = [network.validator, ...network.nodes.map(({ peer }) => peer)].map((peer) =>
    peer.clone(tree),
  );
  return createFrom(options, tree, validator!, peers);
};

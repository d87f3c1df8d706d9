// Asks one node for everything at once and makes its entry of the report. Without a newest block and a genesis block there is no
// entry: the node can't be reached. All else is optional, and what isn't there in time is left out. A node of another chain has an entry
// that shows which chain it is of, and says nothing of this one: no key and no kind.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { NodeStatus } from '../port.ts';
import { decodeBlockFacts } from './consensus/blockHeader.ts';
import { toKind, toPeers, toSyncing } from './decodeNodeAnswers.ts';
import { type Ask, fetchValidatorKey } from './fetchValidatorKey.ts';

/** A configured node. */
export interface NodeClient {
  /** Sends a JSON-RPC request. It bounds the bytes of an answer, and ends a request some time after nobody waits for it any more. */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Key of the node's validator where it is known without asking: 64 bytes x, y. */
  readonly validatorKey?: Uint8Array | undefined;
}

/** Starts the time that a node has for its answers, and returns what stops it. */
export type StartTimeout = (onTimeout: () => void) => () => void;

export interface FetchedStatus {
  readonly kind: string | undefined;
  readonly status: NodeStatus;
}

// An answer is undefined when it isn't there in time, or is an error. Which of the two, nobody would do anything else with. All
// that is asked in `run` has the same time together.
const askWithin = async <T>(
  node: NodeClient,
  startTimeout: StartTimeout,
  run: (ask: Ask) => Promise<T>,
): Promise<T> => {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const stopTimeout = startTimeout(() => resolve(undefined));
  try {
    return await run(async (method, params = []) => {
      try {
        return await Promise.race([node.request(method, params), timeout]);
      } catch {
        return undefined;
      }
    });
  } finally {
    stopTimeout();
  }
};

const fetchBlock = (ask: Ask, tag: string): Promise<unknown> => ask('eth_getBlockByNumber', [tag, false]);

// The blocks, and a key that may need more blocks: that doesn't wait for what the key has nothing to do with.
const fetchBlocksAndKey = async (ask: Ask) => {
  const [head, genesis, nodeInfo, coinbase, signers] = await Promise.all([
    fetchBlock(ask, 'latest'),
    fetchBlock(ask, '0x0'),
    ask('admin_nodeInfo'),
    ask('eth_coinbase'),
    ask('clique_getSigners'),
  ]);
  const key = await fetchValidatorKey(ask, { head, genesis, nodeInfo, coinbase, signers });
  return { head: decodeBlockFacts(head), genesis: decodeBlockFacts(genesis), key };
};

/**
 * The state of one node as far as it answers before the timeout; undefined when it can't be reached. `genesisHash` is the hash of the
 * ledger's block 0, in lower case. Never rejects.
 */
export const fetchNodeStatus = async (
  node: NodeClient,
  genesisHash: Hex,
  startTimeout: StartTimeout,
): Promise<FetchedStatus | undefined> => {
  const [{ head, genesis, key }, version, syncing, peers] = await askWithin(node, startTimeout, (ask) =>
    Promise.all([fetchBlocksAndKey(ask), ask('web3_clientVersion'), ask('eth_syncing'), ask('admin_peers')]),
  );
  if (head === undefined || genesis?.number !== 0) return undefined;
  const isOurs = genesis.hash === genesisHash;
  return {
    kind: isOurs ? toKind(version) : undefined,
    status: {
      validatorKey: isOurs ? (node.validatorKey ?? key) : undefined,
      height: head.number,
      headAtSeconds: head.timestampSeconds,
      genesisHash: genesis.hash,
      genesisStateRoot: genesis.stateRoot,
      genesisAtSeconds: genesis.timestampSeconds,
      syncing: toSyncing(syncing),
      peers: toPeers(peers),
    },
  };
};

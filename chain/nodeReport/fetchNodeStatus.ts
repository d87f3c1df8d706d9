// Sends all requests to one node at once and builds its entry of the report. Without a newest block and a genesis block
// there is no entry: the node counts as unreachable. All else is optional, and late answers are omitted. The entry of a
// node of another chain shows which chain that is, without a key and a kind.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { NodeStatus } from '../port.ts';
import { decodeBlockFacts } from './consensus/reportedHeader.ts';
import { toKind, toNodeKey, toPeerKeys, toSyncing } from './decodeNodeAnswers.ts';
import { fetchValidatorKey, type NodeQuery, readSigners } from './fetchValidatorKey.ts';

/** A configured node. */
export interface NodeClient {
  /** Host of its URL; undefined for the embedded chain. */
  readonly host?: string | undefined;
  /** Sends a JSON-RPC request. It limits the bytes of an answer, and aborts a request some time after its timeout. */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The key of the node's validator, if it is known without a request: 64 bytes x, y. */
  readonly validatorKey?: Uint8Array | undefined;
}

/** Starts a node's timeout, and returns the function that stops it. */
export type StartTimeout = (onTimeout: () => void) => () => void;

/** A node's answers, decoded. */
export interface FetchedStatus {
  readonly kind: string | undefined;
  readonly status: Omit<NodeStatus, 'peers'>;
  /** Keys of its peers, each undefined when it can't be read. */
  readonly peerKeys: readonly (Uint8Array | undefined)[];
  /** Its own devp2p key, where it reports it and belongs to the ledger's chain. */
  readonly nodeKey: Uint8Array | undefined;
  /** The signers of a clique chain; undefined for another chain. */
  readonly signers: readonly Hex[] | undefined;
}

// An answer is undefined when it is late or an error: callers treat both alike. All requests of `run` share one
// timeout.
const queryWithin = async <T>(
  node: NodeClient,
  startTimeout: StartTimeout,
  run: (query: NodeQuery) => Promise<T>,
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

const queryBlock = (query: NodeQuery, tag: string): Promise<unknown> => query('eth_getBlockByNumber', [tag, false]);

// The blocks and the key in one chain of requests, since the key may need more blocks; it doesn't wait for other
// answers.
const fetchBlocksAndKey = async (query: NodeQuery) => {
  const [head, genesis, nodeInfo, coinbase, signers] = await Promise.all([
    queryBlock(query, 'latest'),
    queryBlock(query, '0x0'),
    query('admin_nodeInfo'),
    query('eth_coinbase'),
    query('clique_getSigners'),
  ]);
  const answers = { head, genesis, nodeInfo, coinbase, signers };
  return {
    head: decodeBlockFacts(head),
    genesis: decodeBlockFacts(genesis),
    key: await fetchValidatorKey(query, answers),
    nodeKey: toNodeKey(nodeInfo),
    signers: readSigners(answers),
  };
};

/**
 * The state of one node from its answers before the timeout; undefined when it can't be reached. `genesisHash` is the
 * lower-case hash of the ledger's block 0. Never rejects.
 */
export const fetchNodeStatus = async (
  node: NodeClient,
  genesisHash: Hex,
  startTimeout: StartTimeout,
): Promise<FetchedStatus | undefined> => {
  const [blocks, version, syncing, peers] = await queryWithin(node, startTimeout, (query) =>
    Promise.all([fetchBlocksAndKey(query), query('web3_clientVersion'), query('eth_syncing'), query('admin_peers')]),
  );
  const { head, genesis, key, nodeKey, signers } = blocks;
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
    },
    peerKeys: toPeerKeys(peers),
    nodeKey: isOurs ? nodeKey : undefined,
    signers,
  };
};

// Asks one node for everything at once and makes its entry of the report. Without a newest block and a genesis block there is no
// entry: the node can't be reached. All else is optional, and what isn't there in time is left out.
import type { NodeStatus } from '../port.ts';
import { readBftSeals } from './bftSeals.ts';
import { decodeBlockFacts, decodeHeader } from './blockHeader.ts';
import { readCliqueSeal } from './cliqueSeal.ts';
import { toKind, toNodeKey, toPeers, toSigners, toSyncing } from './nodeAnswers.ts';
import { toKeyAddress } from './publicKey.ts';

/** A configured node. */
export interface NodeClient {
  /** Sends a JSON-RPC request. It bounds the bytes of an answer, and ends a request some time after nobody waits for it any more. */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Key of the node's validator where it is known without asking: 64 bytes x, y. */
  readonly validatorKey?: Uint8Array | undefined;
}

export interface FetchedStatus {
  readonly kind: string | undefined;
  readonly status: NodeStatus;
}

// Resolves to undefined when the answer isn't there in time, or is an error. Which of the two, nobody would do anything else with.
const ask = async (node: NodeClient, timeoutMs: number, method: string, params: unknown[] = []): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([node.request(method, params), timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
};

interface Answers {
  readonly head: unknown;
  readonly genesis: unknown;
  readonly ownKey: Uint8Array | undefined;
  readonly signers: unknown;
}

// The node's own key where the chain says that it is a validator's; else that of the newest block's proposer. A chain whose headers
// name no validators leaves the node's own key as the only one there is.
const chooseValidatorKey = ({ head, genesis, ownKey, signers }: Answers): Uint8Array | undefined => {
  const headHeader = decodeHeader(head);
  const genesisHeader = decodeHeader(genesis);
  if (headHeader === undefined || genesisHeader === undefined) return ownKey;
  const sealed = readBftSeals(headHeader) ?? readCliqueSeal(headHeader, genesisHeader, toSigners(signers));
  if (sealed === undefined) return ownKey;
  return ownKey !== undefined && sealed.validators.includes(toKeyAddress(ownKey)) ? ownKey : sealed.proposer;
};

/** The state of one node, within `timeoutMs` milliseconds; undefined when it can't be reached. Never rejects. */
export const fetchNodeStatus = async (node: NodeClient, timeoutMs: number): Promise<FetchedStatus | undefined> => {
  const [head, genesis, version, syncing, peers, nodeInfo, signers] = await Promise.all([
    ask(node, timeoutMs, 'eth_getBlockByNumber', ['latest', false]),
    ask(node, timeoutMs, 'eth_getBlockByNumber', ['0x0', false]),
    ask(node, timeoutMs, 'web3_clientVersion'),
    ask(node, timeoutMs, 'eth_syncing'),
    ask(node, timeoutMs, 'admin_peers'),
    ask(node, timeoutMs, 'admin_nodeInfo'),
    ask(node, timeoutMs, 'clique_getSigners'),
  ]);
  const headFacts = decodeBlockFacts(head);
  const genesisFacts = decodeBlockFacts(genesis);
  if (headFacts === undefined || genesisFacts?.number !== 0) return undefined;
  const answers = { head, genesis, ownKey: toNodeKey(nodeInfo), signers };
  return {
    kind: toKind(version),
    status: {
      validatorKey: node.validatorKey ?? chooseValidatorKey(answers),
      height: headFacts.number,
      headAtSeconds: headFacts.timestampSeconds,
      genesisHash: genesisFacts.hash,
      genesisStateRoot: genesisFacts.stateRoot,
      genesisAtSeconds: genesisFacts.timestampSeconds,
      syncing: toSyncing(syncing),
      peers: toPeers(peers),
    },
  };
};

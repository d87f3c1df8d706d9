// The nodes of the node report: the embedded chain, which is its own only node, or every node of the network.
import { createJsonRpcClient } from '../chain/jsonRpc/jsonRpcClient.ts';
import type { NodeClient } from '../chain/nodeReport/fetchNodeStatus.ts';
import { createNodeReporter, NODE_TIMEOUT_MS } from '../chain/nodeReport/nodeReporter.ts';
import type { NodeReport } from '../chain/port.ts';
import type { Ledger } from './openLedger.ts';
import { findValidatorKey } from './wallets/embeddedValidator.ts';

const ANSWER_BYTES_MAX = 4 * 2 ** 20;

// The client's name is its URL without credentials and path.
const toNode = (url: string): NodeClient => {
  const client = createJsonRpcClient({ url, timeoutMs: NODE_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
  return { host: new URL(url).host, request: client.request };
};

const toOwnNode = async ({ chain, keyring }: NodeSource): Promise<NodeClient> => ({
  request: chain.readStatus ?? chain.request,
  validatorKey: chain.coinbase && (await findValidatorKey(keyring, chain.coinbase)),
});

type NodeSource = Pick<Ledger, 'chain' | 'keyring'>;

/**
 * Returns a function that reads the node report of an open ledger. `urls` are those of its network's nodes; undefined:
 * the embedded chain. A network's nodes are asked once in the background, so that their keys are known when they fail.
 */
export const openNodeReporter = async (
  source: NodeSource,
  urls?: readonly string[],
): Promise<() => Promise<NodeReport>> => {
  const { readProgress, readNodes, onFinalHead, genesisHash } = source.chain;
  const nodes = urls === undefined ? [await toOwnNode(source)] : urls.map(toNode);
  const readSeen = (at: number) => readNodes?.()[at]?.seen;
  const { read, readUnasked } = createNodeReporter({ nodes, genesisHash, now: Date.now, readSeen });
  if (urls !== undefined) {
    void readUnasked();
    onFinalHead(() => void readUnasked());
  }
  return async () => ({ ...(await read()), atMs: Date.now(), progress: readProgress?.() });
};

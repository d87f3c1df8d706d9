// A chain behind the JSON-RPC of one or several nodes, as the port has it. Only final blocks are shown to the index, so that the
// index never has to take anything back.
import { LedgerError } from '../../ledger/errors.ts';
import { createHeadListeners } from '../headListeners.ts';
import { fetchBlock, fetchTransactionCount } from '../jsonRpc/chainQueries.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { createJsonRpcClient, type JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { BlockRef, ChainPort } from '../port.ts';
import { assertIdentity, type ChainCheckpoint, type ChainIdentity, fetchIdentity } from './chainIdentity.ts';
import { fetchBid, fetchFees } from './fetchBid.ts';
import { fetchRecordLogs } from './fetchRecordLogs.ts';
import { createNodeSet, type NodeSet } from './nodeSet.ts';
import { type Confirmations, createRpcNode, type RpcNode } from './rpcNode.ts';
import { createTransactionSubmitter } from './transactionSubmitter.ts';

export interface RpcChain extends ChainPort {
  /**
   * From now on a node counts only when it has this contract and this block.
   * Rejects with CHAIN_MISMATCH when one that answers hasn't.
   */
  setCheckpoint(checkpoint: ChainCheckpoint): Promise<void>;
}

export interface RpcChainOptions {
  /** URLs of nodes of one chain, the preferred first. */
  readonly urls: readonly string[];
  /** The chain that it has to be; undefined for whichever the first node that answers is of. */
  readonly identity?: ChainIdentity | undefined;
  readonly confirmations: Confirmations;
  /** How long a node may take for one answer. */
  readonly timeoutMs: number;
  /** How often the nodes are looked at. */
  readonly pollMs: number;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** What geth's pool takes; others take more. */
const TRANSACTION_BYTES_MAX = 128 * 1024;
/** EIP-7825: most gas of one transaction, whatever a block may have. */
const TRANSACTION_GAS_MAX = 2 ** 24;

const reportFailure =
  ({ name }: JsonRpcClient, { onProblem }: RpcChainOptions) =>
  (failure: LedgerError | undefined): void =>
    failure === undefined ? onProblem(`${name} is used`) : onProblem(`${name} is left`, failure);

const createNodes = (options: RpcChainOptions): RpcNode[] =>
  options.urls.map((url) => {
    const { timeoutMs, now } = options;
    const client = createJsonRpcClient({ url, timeoutMs, answerBytesMax: ANSWER_BYTES_MAX });
    return createRpcNode(client, { now, onChange: reportFailure(client, options) });
  });

// At the start every node that answers must be of the same chain: one that isn't is a mistake in the settings.
const agreeOnIdentity = async (nodes: readonly RpcNode[], known: ChainIdentity | undefined): Promise<ChainIdentity> => {
  const answers = await Promise.allSettled(nodes.map(({ client }) => fetchIdentity(client)));
  let identity = known;
  for (const [at, answer] of answers.entries()) {
    if (answer.status === 'rejected') continue;
    identity ??= answer.value;
    assertIdentity(nodes[at]!.client, answer.value, identity);
  }
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (identity !== undefined && refusals.length < nodes.length) return identity;
  const message = refusals.map((refusal) => refusal.message).join('; ');
  throw new LedgerError('CHAIN_UNAVAILABLE', { message, cause: refusals[0] });
};

const fetchGasMax = (nodes: NodeSet): Promise<number> =>
  nodes.use(async (client) => {
    const head = await fetchBlock(client, 'latest');
    if (head === undefined) throw refuseAnswer(client, 'no newest block');
    return Math.min(head.gasLimit, TRANSACTION_GAS_MAX);
  });

// A node of another chain in the list is a mistake that only the operator can mend.
const assertNoneForeign = async (nodes: NodeSet): Promise<void> => {
  await nodes.lookAtAll();
  const foreign = nodes.failures().find(({ code }) => code === 'CHAIN_MISMATCH');
  if (foreign !== undefined) throw foreign;
  await nodes.fetchFinal();
};

type PortReads = Pick<ChainPort, 'fetchFinalHead' | 'fetchBlockHash' | 'fetchRecordLogs' | 'fetchNonce' | 'request'>;

const createPortReads = (nodes: NodeSet): PortReads => ({
  fetchFinalHead: nodes.fetchFinal,
  fetchBlockHash: async (number) => {
    const final = nodes.final ?? (await nodes.fetchFinal());
    if (number === final.number) return final.hash;
    const header = await nodes.use(async (client) => {
      const found = await fetchBlock(client, number);
      if (found === undefined && number < final.number) throw refuseAnswer(client, `no block ${number}`);
      return found;
    });
    return header?.hash;
  },
  fetchRecordLogs: (query) => nodes.use((client) => fetchRecordLogs(client, query)),
  fetchNonce: (address) => nodes.use((client) => fetchTransactionCount(client, address)),
  request: (method, params) => nodes.use((client) => client.request(method, params)),
});

// Looks at the nodes again and again, and announces each new final block. Returns what ends that.
const startPolling = (nodes: NodeSet, pollMs: number, announce: (head: BlockRef) => void): (() => Promise<void>) => {
  let announced: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let looking = Promise.resolve();
  const poll = async (): Promise<void> => {
    await nodes.lookAtAll();
    if (nodes.final !== undefined && nodes.final.number !== announced) {
      announced = nodes.final.number;
      announce(nodes.final);
    }
    if (!isClosed) schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      looking = poll();
    }, pollMs);
  };
  schedule();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await looking;
  };
};

/**
 * Connects to the nodes at `urls`; one that answers is enough.
 * @throws LedgerError CHAIN_MISMATCH when one that answers is of another chain than `identity` or the others, CHAIN_UNAVAILABLE
 * when none answers.
 */
export const createRpcChain = async (options: RpcChainOptions): Promise<RpcChain> => {
  const { confirmations, now, pollMs, onProblem } = options;
  const all = createNodes(options);
  const identity = await agreeOnIdentity(all, options.identity);
  const nodes = createNodeSet({ nodes: all, identity, confirmations });
  await assertNoneForeign(nodes);
  const transactionGasMax = await fetchGasMax(nodes);
  const listeners = createHeadListeners();
  const transactions = createTransactionSubmitter({ nodes, now, pollMs, onProblem });
  return {
    ...identity,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
    transactionGasMax,
    ...createPortReads(nodes),
    submitTransaction: transactions.submit,
    awaitFinal: transactions.awaitFinal,
    fetchFees: () => nodes.use(fetchFees),
    fetchBid: (call) => nodes.use((client) => fetchBid(client, call, transactionGasMax)),
    assertSame: nodes.assertSame,
    onFinalHead: listeners.add,
    setCheckpoint: async (checkpoint) => {
      nodes.setCheckpoint(checkpoint);
      await assertNoneForeign(nodes);
    },
    close: startPolling(nodes, pollMs, listeners.announce),
  };
};

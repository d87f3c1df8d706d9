// The port to a chain behind the JSON-RPC of one or several nodes. The index sees final blocks only, so it never has to
// remove anything.
import { toDomainSeparator } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toBftQuorum } from '../../ledger/evidence/bftSeals.ts';
import { type FetchAccountNodes, fetchAccountNodes } from '../evidence/accountProof.ts';
import { type FetchEvidenceBlock, fetchEvidenceBlock } from '../evidence/evidenceBlock.ts';
import { createHeadListeners } from '../headListeners.ts';
import { fetchBlock, fetchTransactionCount } from '../jsonRpc/chainQueries.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { createJsonRpcClient, type JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { RateWait } from '../jsonRpc/ratePauses.ts';
import type { ChainPort, ChainProgress } from '../port.ts';
import type { ReadWaits } from '../recordWaits.ts';
import { createSignatureSearch } from './authors/signatureSearch.ts';
import {
  assertIdentity,
  type ChainCheckpoint,
  type ChainIdentity,
  fetchIdentity,
  isOtherChain,
} from './chainIdentity.ts';
import { createProgressWatch } from './chainProgress.ts';
import { fetchBid, fetchFees } from './fetchBid.ts';
import { fetchNodeLogs, type LogQuery } from './fetchNodeLogs.ts';
import { createHeaderChain, type HeaderChain } from './headerChain.ts';
import { createHeadFeed } from './headFeed.ts';
import type { SubscriptionUse } from './headSubscription.ts';
import { startNodePolling } from './nodePolling.ts';
import { createNodeSet, isUnavailable, type NodeSet } from './nodeSet.ts';
import { createProvenOutcomes, type ProvenOutcomes } from './provenOutcomes.ts';
import { type Confirmations, createRpcNode, type NodeUse, type RpcNode } from './rpcNode.ts';
import { createSealCheck } from './sealCheck.ts';
import { createTransactionSubmitter } from './transactionSubmitter.ts';

/** A chain on a network. */
export interface RpcChain extends ChainPort {
  /**
   * Requires this contract and this block of every node from now on. Rejects with CHAIN_MISMATCH when a node that
   * answers lacks them.
   */
  setCheckpoint(checkpoint: ChainCheckpoint): Promise<void>;
  /** Whether a node has a block of this number, final or not. One node's word: it proves nothing. */
  hasBlock(number: number): Promise<boolean>;
  /** Whose word, or whose seals, make a block final: `this node's word`. */
  readonly finality: string;
  /** The error of a node that has replaced a final block, if too few others can be used without it. */
  findReplaced(): LedgerError | undefined;
  /** The nodes, in the order of `urls`. */
  readNodes(): NodeUse[];
  /** The subscriptions to new blocks, in the order of `headUrls`. */
  readSubscriptions(): SubscriptionUse[];
  /** Whether the chain makes blocks, as its nodes said last. Their word, and not proven by any final block. */
  readProgress(): ChainProgress;
  /** Makes the progress depend on the records that wait, too. */
  watchRecords(readWaits: ReadWaits): void;
  readonly fetchEvidenceBlock: FetchEvidenceBlock;
  readonly fetchAccountNodes: FetchAccountNodes;
}

/** Options of a connection to a network. */
export interface RpcChainOptions {
  /** URLs of nodes of one chain, the preferred first. */
  readonly urls: readonly string[];
  /** URLs of WebSocket at which nodes announce their new blocks; undefined: all blocks are polled. */
  readonly headUrls?: readonly string[] | undefined;
  /** The expected chain; undefined for the chain of the first node that answers. */
  readonly identity?: ChainIdentity | undefined;
  readonly confirmations: Confirmations;
  /** How many URLs must agree on a final block; a majority of them where it is left out, and one with `validators`. */
  readonly agreeing?: number | undefined;
  /** Lower-case addresses of QBFT or IBFT 2.0 validators, whose seals each final block must have; undefined: none. */
  readonly validators?: readonly Hex[] | undefined;
  /** Whether the chain promises blocks without transactions; undefined: its engine and its blocks decide. */
  readonly promisesBlocks?: boolean | undefined;
  /** Milliseconds that a node may take for one answer. */
  readonly timeoutMs: number;
  /** Milliseconds between two checks of the nodes. */
  readonly pollMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Ends all requests to the nodes when it is aborted, also those that begin later. */
  readonly ending?: AbortSignal | undefined;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/** How long a request waits for an only node that has too many: providers count by the minute. */
const RATE_WAIT_MS_MAX = 90_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Limit of geth's pool; other pools allow more. */
const TRANSACTION_BYTES_MAX = 128 * 1024;
/** Batches that fit into a block: nodes include as many as fit with their whole gas limits. */
const BATCHES_OF_BLOCK = 4;
/** EIP-7825: the largest gas limit of a transaction, whatever a block's is. */
const TRANSACTION_GAS_MAX = 2 ** 24;

const reportFailure =
  ({ name }: JsonRpcClient, { onProblem, ending }: RpcChainOptions) =>
  (failure: LedgerError | undefined): void => {
    if (failure === undefined) onProblem(`${name} is used`);
    // The node didn't fail where its requests were ended.
    else if (ending?.aborted !== true) onProblem(`${name} is left`, failure);
  };

const createNodes = (options: RpcChainOptions): RpcNode[] =>
  options.urls.map((url) => {
    const { timeoutMs, now, ending, onProblem } = options;
    const onWait: RateWait['onWait'] = ({ message }, pauseMs) =>
      onProblem(`${client.name} answers ${message}; it is asked again in ${Math.ceil(pauseMs / 1_000)} s`);
    // Where there are others, one of them is used meanwhile.
    const waitMsMax = options.urls.length === 1 ? RATE_WAIT_MS_MAX : timeoutMs;
    const rateWait = { waitMsMax, onWait };
    const client = createJsonRpcClient({ url, timeoutMs, answerBytesMax: ANSWER_BYTES_MAX, now, ending, rateWait });
    return createRpcNode(client, { now, onChange: reportFailure(client, options) });
  });

// At the start, all nodes that answer must belong to the same chain: anything else is a mistake in the settings.
const agreeOnIdentity = async (nodes: readonly RpcNode[], known: ChainIdentity | undefined): Promise<ChainIdentity> => {
  const answers = await Promise.allSettled(nodes.map(({ client }) => fetchIdentity(client)));
  let identity = known;
  for (const [at, answer] of answers.entries()) {
    if (answer.status === 'rejected') {
      // So that nothing waits again for one that hangs.
      if (isUnavailable(answer.reason)) nodes[at]!.leave(answer.reason);
      continue;
    }
    identity ??= answer.value;
    assertIdentity(nodes[at]!.client, answer.value, identity);
  }
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (identity !== undefined && refusals.length < nodes.length) return identity;
  const message = refusals.map((refusal) => refusal.message).join('; ');
  throw new LedgerError('CHAIN_UNAVAILABLE', { message, cause: refusals[0] });
};

const describeFinality = (urls: number, agreeing: number, validators: readonly Hex[] | undefined): string => {
  if (validators !== undefined)
    return `the seals of ${toBftQuorum(validators.length)} of ${validators.length} validators`;
  return agreeing === 1 ? "this node's word" : `the word of ${agreeing} of ${urls} nodes`;
};

const fetchGasLimits = (nodes: NodeSet): Promise<Pick<ChainPort, 'transactionGasMax' | 'batchGasMax'>> =>
  nodes.use(async (client) => {
    const head = await fetchBlock(client, 'latest');
    if (head === undefined) throw refuseAnswer(client, 'no newest block');
    const transactionGasMax = Math.min(head.gasLimit, TRANSACTION_GAS_MAX);
    return {
      transactionGasMax,
      batchGasMax: Math.min(Math.floor(head.gasLimit / BATCHES_OF_BLOCK), transactionGasMax),
    };
  });

// Only the operator can remove a node of another chain from the settings. One that contradicts what enough others agree
// on is left like any node that is wrong; where one node is enough, nobody knows which of two is.
const assertNoneForeign = async (nodes: NodeSet, agreeing: number): Promise<void> => {
  await nodes.checkAll();
  const isForeign = agreeing === 1 ? isOtherChain : ({ code }: LedgerError) => code === 'CHAIN_MISMATCH';
  const foreign = nodes.failures().find(isForeign);
  if (foreign !== undefined) throw foreign;
  await nodes.fetchFinal();
};

// Hashes of final blocks, each proven by the newest one. The index and the block log are at different blocks, so hashes
// that the index's headers lack come from headers of their own, which are read for one request after the other.
const createHashFetch = (nodes: NodeSet, ofIndex: HeaderChain): ChainPort['fetchBlockHash'] => {
  const headers = createHeaderChain();
  let reading: Promise<unknown> = Promise.resolve();
  const read = async (number: number): Promise<Hex> => {
    const range = { fromBlock: number, toBlock: number };
    const [block] = await nodes.useFinal((client, final) => headers.fetchProven(client, range, final));
    return block!.hash;
  };
  return async (number) => {
    const final = nodes.final ?? (await nodes.fetchFinal());
    if (number > final.number) return undefined;
    if (number === final.number) return final.hash;
    const known = ofIndex.findHash(number) ?? headers.findHash(number);
    if (known !== undefined) return known;
    const hash = reading.then(
      () => read(number),
      () => read(number),
    );
    reading = hash;
    return hash;
  };
};

type PortReads = Pick<
  ChainPort,
  'fetchFinalHead' | 'fetchBlockHash' | 'fetchContractLogs' | 'fetchRecordLogs' | 'fetchNonce' | 'request'
>;

const createPortReads = (
  nodes: NodeSet,
  headers: HeaderChain,
  { chainId, outcomes: { note } }: { readonly chainId: number; readonly outcomes: ProvenOutcomes },
): PortReads => {
  const search = createSignatureSearch();
  const toAuthors = (contract: Hex, accounts: ReadonlySet<Hex>): LogQuery['authors'] => {
    const domain = toDomainSeparator({ chainId, contract: fromHex(contract) });
    return { accounts, chainId, contract, domain, search };
  };
  return {
    fetchFinalHead: nodes.fetchFinal,
    fetchBlockHash: createHashFetch(nodes, headers),
    fetchContractLogs: ({ provenAuthors, ...range }) => {
      const authors = provenAuthors && toAuthors(range.address, provenAuthors);
      const query = { ...range, onProven: note, ...(authors && { authors }) };
      return nodes.useFinal((client, final) => fetchNodeLogs(client, headers, query, final));
    },
    fetchRecordLogs: async (query) =>
      (await nodes.useFinal((client, final) => fetchNodeLogs(client, headers, query, final))).records,
    fetchNonce: (address) => nodes.use((client) => fetchTransactionCount(client, address)),
    request: (method, params) => nodes.use((client) => client.request(method, params)),
  };
};

/**
 * Connects to the nodes at `urls`; one that answers is enough.
 * @throws LedgerError CHAIN_MISMATCH when a node that answers belongs to another chain than `identity` or than the
 * others, CHAIN_UNAVAILABLE when none answers.
 */
export const createRpcChain = async (options: RpcChainOptions): Promise<RpcChain> => {
  const { confirmations, validators, timeoutMs, pollMs, onProblem } = options;
  const all = createNodes(options);
  const identity = await agreeOnIdentity(all, options.identity);
  const agreeing = options.agreeing ?? (validators === undefined ? Math.floor(all.length / 2) + 1 : 1);
  const assertSealed = validators && createSealCheck(validators, identity.genesisHash);
  const nodes = createNodeSet({ nodes: all, identity, confirmations, agreeing, assertSealed });
  await assertNoneForeign(nodes, agreeing);
  const gasLimits = await fetchGasLimits(nodes);
  const headers = createHeaderChain();
  const listeners = createHeadListeners();
  const progress = createProgressWatch({ ...options, nodes });
  const { headUrls } = options;
  const heads = headUrls && createHeadFeed({ urls: headUrls, timeoutMs, onProblem });
  const outcomes = createProvenOutcomes();
  const elapsedMs = (): number => performance.now();
  const transactions = createTransactionSubmitter({ nodes, outcomes, elapsedMs, pollMs, heads, onProblem });
  const endPolling = startNodePolling({ nodes, pollMs, heads, announce: listeners.announce, look: progress.look });
  return {
    ...identity,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
    ...gasLimits,
    ...createPortReads(nodes, headers, { chainId: identity.chainId, outcomes }),
    fetchEvidenceBlock: (block) => nodes.useFinal((client) => fetchEvidenceBlock(client, block)),
    fetchAccountNodes: (contract, block) => nodes.useFinal((client) => fetchAccountNodes(client, contract, block)),
    submitTransaction: (raw, submitOptions) => progress.whileWaiting(() => transactions.submit(raw, submitOptions)),
    awaitFinal: transactions.awaitFinal,
    fetchFees: () => nodes.use(fetchFees),
    fetchBid: (call) => nodes.use((client) => fetchBid(client, call, gasLimits.transactionGasMax)),
    finality: describeFinality(all.length, agreeing, validators),
    readNodes: nodes.uses,
    readProgress: progress.read,
    watchRecords: progress.watchRecords,
    hasBlock: async (number) => (await nodes.use((client) => fetchBlock(client, number))) !== undefined,
    assertSame: nodes.assertSame,
    findReplaced: nodes.findReplaced,
    onFinalHead: listeners.add,
    setCheckpoint: async (checkpoint) => {
      nodes.setCheckpoint(checkpoint);
      headers.setAnchor(checkpoint.block);
      await assertNoneForeign(nodes, agreeing);
    },
    readSubscriptions: () => heads?.uses() ?? [],
    close: async () => {
      heads?.close();
      await endPolling();
    },
  };
};

// Answers JSON-RPC read methods over a chain, in the JSON of nodes. Both kinds of simulated chain use it.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { readAccount } from './chainState.ts';
import type { ChainView } from './chainView.ts';
import { executeCall, type Outcome } from './evm.ts';
import { toBlockJson, toFullBlockJson, toReceiptJson, toTransactionJson } from './rpcJson.ts';
import { selectLogs } from './rpcLogs.ts';
import { decodeAddress, decodeBlockNumber, decodeCall, decodeHash, requireBlock } from './rpcParams.ts';
import type { DecodedTransaction } from './transactions.ts';

/** A node's answers to read methods. Throws `RpcError` as a node answers with an error. */
export type RpcAnswers = (method: string, params: readonly unknown[]) => unknown;

/** What else a node answers with. */
export interface NodeTerms {
  /** Answer to `web3_clientVersion`. */
  readonly clientVersion: string;
  /** Wei that the node suggests as a tip. */
  readonly tipPerGas: () => bigint;
  /** A transaction that waits in the node's pool. */
  readonly findPending?: (hash: Hex) => DecodedTransaction | undefined;
}

type Answer = (view: ChainView, params: readonly unknown[], terms: NodeTerms) => unknown;

const requireSuccess = (outcome: Outcome): Outcome => {
  if (outcome.status === 'succeeded') return outcome;
  if (outcome.status === 'outOfGas') throw new RpcError(RPC_CODE.REFUSED, 'out of gas');
  throw new RpcError(RPC_CODE.REVERTED, 'execution reverted', outcome.output);
};

const executeRead = (view: ChainView, [call, tag]: readonly unknown[]): Outcome => {
  const { terms, state } = requireBlock(view, tag);
  return requireSuccess(executeCall(state, terms.chainId, decodeCall(call, terms.transactionGasMax)));
};

const readAccountAt = (view: ChainView, [address, tag]: readonly unknown[]) =>
  readAccount(requireBlock(view, tag).state, decodeAddress(address));

const answerBlock = (block: ReturnType<ChainView['blockByNumber']>, isFull: unknown): unknown => {
  if (block === undefined) return null;
  return isFull === true ? toFullBlockJson(block) : toBlockJson(block);
};

const answerTransaction: Answer = (view, [hash], { findPending }) => {
  const wanted = decodeHash(hash);
  const place = view.findTransaction(wanted);
  if (place !== undefined) return toTransactionJson(place.receipt.transaction, place);
  const pending = findPending?.(wanted);
  return pending === undefined ? null : toTransactionJson(pending);
};

const answerReceipt: Answer = (view, [hash]) => {
  const place = view.findTransaction(decodeHash(hash));
  return place === undefined ? null : toReceiptJson(place);
};

const answerBlockReceipts: Answer = (view, [tag]) => {
  const block = view.blockByNumber(decodeBlockNumber(view, tag));
  return block === undefined ? null : block.receipts.map((receipt) => toReceiptJson({ block, receipt }));
};

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['eth_chainId', ({ head }) => toQuantity(head.terms.chainId)],
  ['net_version', ({ head }) => `${head.terms.chainId}`],
  ['net_listening', () => true],
  ['net_peerCount', () => '0x0'],
  ['web3_clientVersion', (_view, _params, { clientVersion }) => clientVersion],
  ['eth_syncing', () => false],
  ['eth_accounts', () => []],
  ['eth_coinbase', ({ head }) => head.terms.coinbase],
  ['eth_blockNumber', ({ head }) => toQuantity(head.number)],
  ['eth_gasPrice', ({ head }, _params, { tipPerGas }) => toQuantity(head.baseFeePerGas + tipPerGas())],
  ['eth_maxPriorityFeePerGas', (_view, _params, { tipPerGas }) => toQuantity(tipPerGas())],
  [
    'eth_getBlockByNumber',
    (view, [tag, isFull]) => answerBlock(view.blockByNumber(decodeBlockNumber(view, tag)), isFull),
  ],
  ['eth_getBlockByHash', (view, [hash, isFull]) => answerBlock(view.blockByHash(decodeHash(hash)), isFull)],
  ['eth_getTransactionByHash', answerTransaction],
  ['eth_getTransactionReceipt', answerReceipt],
  ['eth_getBlockReceipts', answerBlockReceipts],
  ['eth_getTransactionCount', (view, params) => toQuantity(readAccountAt(view, params).nonce)],
  ['eth_getBalance', (view, params) => toQuantity(readAccountAt(view, params).balance)],
  ['eth_getCode', (view, params) => readAccountAt(view, params).code?.bytes ?? '0x'],
  ['eth_getLogs', (view, [filter]) => selectLogs(view, filter)],
  ['eth_call', (view, params) => executeRead(view, params).output],
  ['eth_estimateGas', (view, params) => toQuantity(executeRead(view, params).gasUsed)],
]);

/** Answers over this chain as it is at each request. */
export const createRpcAnswers =
  (view: ChainView, terms: NodeTerms): RpcAnswers =>
  (method, params) => {
    const answer = ANSWERS.get(method);
    if (answer === undefined) {
      const message = `the method ${method} does not exist/is not available`;
      throw new RpcError(RPC_CODE.METHOD_NOT_FOUND, message);
    }
    return answer(view, params, terms);
  };

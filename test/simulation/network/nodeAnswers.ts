// The JSON-RPC answers of one node: reads of the chain as it sees it, and submissions to its pool.
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createRpcAnswers, type RpcAnswers } from '../chain/rpcAnswers.ts';
import { type DecodedTransaction, decodeTransactionText } from '../chain/transactions.ts';
import type { NodeAnswer } from './lie.ts';
import type { Peer } from './peer.ts';

/** Options of a node's answers. */
export interface NodeAnswersOptions {
  readonly peer: Peer;
  /** Wei that the node suggests as a tip. */
  readonly tipPerGas: bigint;
  /** Called with each transaction that the pool has accepted from a client. */
  readonly onAccepted: (transaction: DecodedTransaction) => void;
}

const CLIENT_VERSION = 'Simulated/v1';

/** True answers. */
export const createNodeAnswers = ({ peer, tipPerGas, onAccepted }: NodeAnswersOptions) => {
  const findPending = (hash: Hex): DecodedTransaction | undefined => peer.pool.find(hash);
  const terms = { clientVersion: CLIENT_VERSION, tipPerGas: () => tipPerGas, findPending };
  let view = peer.view;
  let answers: RpcAnswers = createRpcAnswers(view, terms);

  const read: RpcAnswers = (method, params) => {
    if (view !== peer.view) {
      view = peer.view;
      answers = createRpcAnswers(view, terms);
    }
    return answers(method, params);
  };
  const submit = (text: unknown): Hex => {
    const transaction = decodeTransactionText(text);
    peer.submit(transaction);
    onAccepted(transaction);
    return transaction.hash;
  };
  const respond: RpcAnswers = (method, params) => {
    if (method === 'eth_sendRawTransaction') return submit(params[0]);
    if (method === 'eth_getTransactionCount' && params[1] === 'pending') {
      return toQuantity(peer.pool.pendingNonce(String(params[0]).toLowerCase() as Hex, peer.view.head.state));
    }
    return read(method, params);
  };

  return (method: string, params: readonly unknown[]): NodeAnswer => {
    try {
      return { result: respond(method, params) };
    } catch (error) {
      if (error instanceof RpcError) return { error };
      throw error;
    }
  };
};

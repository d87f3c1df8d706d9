// The JSON-RPC answers of one node: reads of the chain as it sees it, and submissions to its pool.
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { toQuantity } from '../../../chain/jsonRpc/toQuantity.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { createRpcAnswers, type RpcAnswers } from '../chain/rpcAnswers.ts';
import { type DecodedTransaction, decodeTransactionText } from '../chain/transactions.ts';
import { describeCall } from '../story/describeTransaction.ts';
import { theWorld } from '../world/world.ts';
import type { NodeAnswer } from './lie.ts';
import type { Peer } from './peer.ts';

/** Options of a node's answers. */
export interface NodeAnswersOptions {
  /** Name of the node. */
  readonly name: string;
  readonly peer: Peer;
  /** Wei that the node suggests as a tip. */
  readonly tipPerGas: bigint;
  /** Called with each transaction that the pool has accepted from a client. */
  readonly onAccepted: (transaction: DecodedTransaction) => void;
}

const CLIENT_VERSION = 'Simulated/v1';

// A pool that has the transaction already refuses it each time.
const submitNoted = (name: string, peer: Peer, transaction: DecodedTransaction): void => {
  const { hash, nonce } = transaction;
  try {
    peer.submit(transaction);
  } catch (error) {
    theWorld().note(name, () =>
      peer.pool.find(hash) === undefined ? `refuses transaction ${hash}: ${(error as Error).message}` : undefined,
    );
    throw error;
  }
  theWorld().note(
    name,
    () => `accepts from the server transaction ${hash} with nonce ${nonce}: ${describeCall(transaction)}`,
  );
};

/** True answers. */
export const createNodeAnswers = ({ name, peer, tipPerGas, onAccepted }: NodeAnswersOptions) => {
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
    submitNoted(name, peer, transaction);
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

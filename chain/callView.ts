// Calls of the view functions of contracts.
import type { Interface, Result } from 'ethers';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { RpcRequest } from './jsonRpc/rpcRequest.ts';
import { ledgerInterface } from './ledgerAbi.ts';

/** A call of a view function. */
export interface ViewCall {
  readonly name: string;
  readonly args?: readonly unknown[];
  /** A JSON-RPC block number or tag; `latest` unless given. */
  readonly block?: Hex | 'latest';
}

/**
 * Calls a view function of the contract at `contract` and decodes its return values, in order. Rejects as `request`
 * does, and with CHAIN_UNAVAILABLE when the answer is none of the function: the node may not have the contract yet.
 */
export const callFunction = async (
  request: RpcRequest,
  contract: Hex,
  functions: Interface,
  { name, args = [], block = 'latest' }: ViewCall,
): Promise<Result> => {
  const data = functions.encodeFunctionData(name, args);
  const answer = await request('eth_call', [{ to: contract, data }, block]);
  try {
    const values = functions.decodeFunctionResult(name, answer as Hex);
    // A value that can't be decoded is an error only when it is read.
    values.toArray(true);
    return values;
  } catch (cause) {
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: `a node gave an invalid answer to ${name}`, cause });
  }
};

/** The same for a view function of the ledger contract. */
export const callView = (request: RpcRequest, contract: Hex, call: ViewCall): Promise<Result> =>
  callFunction(request, contract, ledgerInterface, call);

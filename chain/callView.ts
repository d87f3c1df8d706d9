import type { Result } from 'ethers';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { RpcRequest } from './jsonRpc/rpcRequest.ts';
import { ledgerInterface } from './ledgerAbi.ts';

/**
 * Calls a view function of the ledger contract at `contract` and decodes its return values, in order.
 * `block` is a JSON-RPC block number or tag. Rejects as `request` does, and with CHAIN_UNAVAILABLE when the answer is
 * none of the function: the node may not have the contract yet.
 */
export const callView = async (
  request: RpcRequest,
  contract: Hex,
  call: { name: string; args: readonly unknown[]; block?: Hex | 'latest' },
): Promise<Result> => {
  const { name, args, block = 'latest' } = call;
  const data = ledgerInterface.encodeFunctionData(name, args);
  const result = (await request('eth_call', [{ to: contract, data }, block])) as Hex;
  try {
    return ledgerInterface.decodeFunctionResult(name, result);
  } catch (cause) {
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: `a node gave an invalid answer to ${name}`, cause });
  }
};

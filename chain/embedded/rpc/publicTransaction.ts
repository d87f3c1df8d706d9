// Decodes a third party's signed transaction: the part that must be known before its execution.
import { type AccessList, Transaction } from 'ethers';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import type { Execution } from './intrinsicGas.ts';

/** A signed transaction before its execution. */
export interface PublicTransaction {
  readonly gasLimit: number;
  readonly execution: Execution;
  readonly accessList: AccessList;
  /** In wei. */
  readonly value: bigint;
  /** Lower-case address of the account that signed it. */
  readonly from: Hex;
}

const refuse = (message: string): RpcError => new RpcError(RPC_CODE.REFUSED, message);

const parse = (raw: Uint8Array): Transaction => {
  try {
    return Transaction.from(toHex(raw));
  } catch {
    throw refuse('these bytes are not a transaction that this chain accepts');
  }
};

/**
 * Decodes a raw transaction.
 * @throws RpcError REFUSED for bytes that are no signed transaction of a known type, or more than `bytesMax`.
 */
export const decodeTransaction = (raw: Uint8Array, bytesMax: number): PublicTransaction => {
  if (raw.length > bytesMax) throw refuse(`the transaction is larger than ${bytesMax} bytes`);
  const { to, data, gasLimit, accessList: declared, value, from } = parse(raw);
  const accessList = declared ?? [];
  if (from === null) throw refuse('the transaction is not signed');
  return {
    gasLimit: Number(gasLimit),
    execution: {
      to: to === null ? undefined : (to.toLowerCase() as Hex),
      data: fromHex(data),
      accessList,
    },
    accessList,
    value,
    from: from.toLowerCase() as Hex,
  };
};

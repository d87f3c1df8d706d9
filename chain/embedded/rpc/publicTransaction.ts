// Decodes a third party's signed transaction: the part that must be known before its execution.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { RPC_CODE, RpcError } from '../../jsonRpc/rpcError.ts';
import { type AccessListEntry, decodeSignedTransaction } from '../../signedTransaction.ts';
import type { Execution } from './intrinsicGas.ts';

/** A signed transaction before its execution. */
export interface PublicTransaction {
  readonly gasLimit: number;
  readonly execution: Execution;
  readonly accessList: readonly AccessListEntry[];
  /** In wei. */
  readonly value: bigint;
  /** Whether it moves no value, and pays nothing for its gas. */
  readonly isFree: boolean;
  /** Lower-case address of the account that signed it. */
  readonly from: Hex;
}

const refuse = (message: string): RpcError => new RpcError(RPC_CODE.REFUSED, message);

interface Parsed extends Omit<PublicTransaction, 'from'> {
  /** Null: it isn't signed. */
  readonly from: Hex | null;
}

const parse = (raw: Uint8Array): Parsed => {
  const { fields, data, accessList, from } = decodeSignedTransaction(raw);
  const { to, gasLimit, value, gasPrice, maxFeePerGas } = fields;
  return {
    gasLimit: Number(gasLimit),
    execution: { to: (to?.toLowerCase() ?? undefined) as Hex | undefined, data, accessList },
    accessList,
    value,
    isFree: [value, gasPrice, maxFeePerGas].every((amount) => amount === null || amount === 0n),
    from,
  };
};

const parseOrRefuse = (raw: Uint8Array): Parsed => {
  try {
    return parse(raw);
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
  const { from, ...parsed } = parseOrRefuse(raw);
  if (from === null) throw refuse('the transaction is not signed');
  return { ...parsed, from };
};

// `eth_getRawTransactionByHash`: the bytes that were signed, from the fields that the engine answers with.
import { type Hex, toHex } from '../../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../../ledger/encoding/keccak.ts';
import { encodeTransaction } from '../../../network/encodeTransaction.ts';
import type { PublicChain } from '../publicChain.ts';
import { assertParamCount } from '../publicParams.ts';

/** What geth answers for a transaction that it doesn't have. */
const NONE = '"0x"';

/** Answers `eth_getRawTransactionByHash` with JSON text: "0x" where there is none. To be called within `read`. */
export const fetchRawTransaction = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  assertParamCount(params, 1);
  const transaction = JSON.parse(await chain.request('eth_getTransactionByHash', params)) as { hash: Hex } | null;
  if (transaction === null) return NONE;
  const raw = encodeTransaction(transaction);
  if (raw === undefined || toHex(keccak256(raw)) !== transaction.hash)
    throw new Error(`the fields of transaction ${transaction.hash} don't have its hash`);
  return JSON.stringify(toHex(raw));
};

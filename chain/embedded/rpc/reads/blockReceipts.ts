// `eth_getBlockReceipts`: the receipts of a block's transactions, which are one at most on this chain.
import type { Hex } from '../../../../ledger/encoding/hex.ts';
import { refuseParams } from '../../../jsonRpc/rpcError.ts';
import type { PublicChain } from '../publicChain.ts';
import { assertParamCount, decodeObjectParam } from '../publicParams.ts';

const HASH = /^0x[0-9a-f]{64}$/i;

const byHash = (hash: unknown) => {
  if (typeof hash !== 'string' || !HASH.test(hash)) throw refuseParams('blockHash is not a hash');
  return { method: 'eth_getBlockByHash', block: hash };
};
const byNumber = (block: unknown) => ({ method: 'eth_getBlockByNumber', block });

// A number, a tag or a hash, or an object with the number or the hash (EIP-1898).
const decodeBlock = (value: unknown) => {
  if (typeof value === 'string') return HASH.test(value) ? byHash(value) : byNumber(value);
  const { blockNumber, blockHash } = decodeObjectParam(value, 'the block');
  if ((blockNumber === undefined) === (blockHash === undefined))
    throw refuseParams('the block has either blockNumber or blockHash');
  return blockHash === undefined ? byNumber(blockNumber) : byHash(blockHash);
};

/** Answers `eth_getBlockReceipts` with JSON text: null where there is no such block. To be called within `read`. */
export const fetchBlockReceipts = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  assertParamCount(params, 1);
  const { method, block } = decodeBlock(params[0]);
  const found = JSON.parse(await chain.request(method, [block, false])) as { transactions: Hex[] } | null;
  if (found === null) return 'null';
  const receipts: string[] = [];
  for (const hash of found.transactions) receipts.push(await chain.request('eth_getTransactionReceipt', [hash]));
  return `[${receipts.join(',')}]`;
};

// `eth_feeHistory` of a chain on which gas is free. It has no `reward`, which is a member that an answer may lack:
// nobody ever pays one, and where there is one of zero, Hardhat bids one wei, which an account without a balance can't
// pay.
import { RPC_CODE, RpcError, refuseParams } from '../../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../../jsonRpc/toQuantity.ts';
import type { PublicChain } from '../publicChain.ts';
import { assertParamCount, decodeQuantityParam } from '../publicParams.ts';

/** Largest number of blocks in an answer. */
const BLOCKS_MAX = 1_024;
const PERCENTILES_MAX = 100;
const HEAD_TAGS = new Set<unknown>(['latest', 'pending', 'safe', 'finalized']);

const isPercentile = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 100;

const assertPercentiles = (value: unknown): void => {
  if (value === undefined || value === null) return;
  const isRight = Array.isArray(value) && value.length <= PERCENTILES_MAX && value.every(isPercentile);
  if (!isRight || value.some((percentile, at) => percentile < (value[at - 1] ?? 0)))
    throw refuseParams(`the percentiles are not at most ${PERCENTILES_MAX} ascending numbers from 0 to 100`);
};

// Some clients send the number as it is.
const decodeCount = (value: unknown): number => {
  const count = typeof value === 'number' ? value : decodeQuantityParam(value, 'blockCount');
  if (!Number.isSafeInteger(count) || count < 1) throw refuseParams('blockCount is not a number of blocks');
  return Math.min(count, BLOCKS_MAX);
};

const decodeNewest = (value: unknown, head: number): number => {
  if (HEAD_TAGS.has(value)) return head;
  const number = value === 'earliest' ? 0 : decodeQuantityParam(value, 'newestBlock');
  if (number > head) throw new RpcError(RPC_CODE.REFUSED, `newestBlock is beyond the newest block, ${head}`);
  return number;
};

/** Answers `eth_feeHistory` with JSON text, of at most 1,024 blocks. To be called within `read`. */
export const fetchFeeHistory = async (chain: PublicChain, params: readonly unknown[]): Promise<string> => {
  assertParamCount(params, 3);
  const [blockCount, newestBlock, percentiles] = params;
  assertPercentiles(percentiles);
  const count = decodeCount(blockCount);
  const { number: head } = await chain.fetchFinalHead();
  const newest = decodeNewest(newestBlock, head);
  const text = await chain.request('eth_feeHistory', [toQuantity(count), toQuantity(newest), []]);
  const { reward: _none, ...history } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(history);
};

// A miner's choice of transactions: the highest tips first, each account's in order of its nonces.
import { type ChainState, readAccount } from '../chain/chainState.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { toCost } from './pool.ts';

/** The capacity and the price of a block. */
export interface BlockSpace {
  readonly gasLimit: number;
  /** Wei. */
  readonly baseFeePerGas: bigint;
}

const tipOf = ({ maxFeePerGas, maxPriorityFeePerGas }: DecodedTransaction, baseFeePerGas: bigint): bigint => {
  const rest = maxFeePerGas - baseFeePerGas;
  return rest < maxPriorityFeePerGas ? rest : maxPriorityFeePerGas;
};

// The queue whose first transaction pays the highest tip, and fits; the earlier one of two that pay the same.
const findBest = (queues: readonly DecodedTransaction[][], gas: number, baseFeePerGas: bigint) => {
  let best: DecodedTransaction[] | undefined;
  let bestTip = -1n;
  for (const queue of queues) {
    const first = queue[0];
    if (first === undefined || first.gasLimit > gas) continue;
    const tip = tipOf(first, baseFeePerGas);
    if (tip > bestTip) [best, bestTip] = [queue, tip];
  }
  return best;
};

// The first transactions of an account that its balance covers, whatever the others of the block do.
const toAffordable = (queue: readonly DecodedTransaction[], state: ChainState): DecodedTransaction[] => {
  let left = readAccount(state, queue[0]?.from ?? '0x').balance;
  const end = queue.findIndex((transaction) => {
    left -= toCost(transaction);
    return left < 0n;
  });
  return end === -1 ? [...queue] : queue.slice(0, end);
};

/**
 * The transactions of the next block. `executable` has each account's transactions, in order of nonces, and `state`
 * their balances. A transaction that bids less than the base fee waits, and those of its account behind it.
 */
export const selectTransactions = (
  executable: readonly (readonly DecodedTransaction[])[],
  state: ChainState,
  { gasLimit, baseFeePerGas }: BlockSpace,
): DecodedTransaction[] => {
  const queues = executable.map((queue) => toAffordable(queue, state));
  const selected: DecodedTransaction[] = [];
  let gas = gasLimit;
  for (
    let best = findBest(queues, gas, baseFeePerGas);
    best !== undefined;
    best = findBest(queues, gas, baseFeePerGas)
  ) {
    const first = best.shift()!;
    selected.push(first);
    gas -= first.gasLimit;
  }
  return selected;
};

// The pool of one node, by geth's rules: transactions that wait for a block, by account and nonce.
import { RPC_CODE, RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { ChainTerms } from '../chain/blocks.ts';
import { type ChainState, readAccount } from '../chain/chainState.ts';
import { findPermanentRefusal } from '../chain/refusals.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';

/** A pool. */
export interface Pool {
  /**
   * Adds a transaction.
   * @throws RpcError as geth answers to `eth_sendRawTransaction`.
   */
  add(transaction: DecodedTransaction, state: ChainState): void;
  find(hash: Hex): DecodedTransaction | undefined;
  /** Transactions whose nonces follow the account's without a gap, each account's in order of nonces. */
  executable(state: ChainState): readonly (readonly DecodedTransaction[])[];
  /** The account's next nonce after its executable transactions. */
  pendingNonce(address: Hex, state: ChainState): number;
  /** Removes the transactions whose nonces blocks have used. */
  prune(state: ChainState): void;
  remove(hash: Hex): void;
  /** All transactions, in order of their arrival. */
  list(): readonly DecodedTransaction[];
  clone(): Pool;
}

/** Limits of a pool. */
export interface PoolOptions {
  readonly terms: ChainTerms;
  /** Transactions that it holds at most: a better bid then displaces the lowest. */
  readonly transactionsMax: number;
  /** Whether gas is free on this chain, so that a tip of 0 is accepted. */
  readonly isFree: boolean;
}

/** geth's limit of a signed transaction. */
export const TRANSACTION_BYTES_MAX = 128 * 1024;
/** Percent by which both fees must rise in a replacement. */
const BUMP_PERCENT = 10n;
/** geth's lowest tip, in wei. */
const TIP_MIN = 1n;

const refuse = (message: string): RpcError => new RpcError(RPC_CODE.REFUSED, message);

/** Wei that an account must have for a transaction. */
export const toCost = ({ gasLimit, maxFeePerGas, value }: DecodedTransaction): bigint =>
  BigInt(gasLimit) * maxFeePerGas + value;

const nonceOf = (state: ChainState, address: Hex): number => readAccount(state, address).nonce;

const assertAcceptable = (transaction: DecodedTransaction, { terms, isFree }: PoolOptions): void => {
  const { raw, maxPriorityFeePerGas: tip } = transaction;
  if (raw.length > TRANSACTION_BYTES_MAX)
    throw refuse(`oversized data: transaction size ${raw.length}, limit ${TRANSACTION_BYTES_MAX}`);
  const refusal = findPermanentRefusal(transaction, terms);
  if (refusal !== undefined) throw refuse(refusal.message);
  if (!isFree && tip < TIP_MIN) throw refuse(`transaction underpriced: gas tip cap ${tip}, minimum needed ${TIP_MIN}`);
};

const assertNonce = ({ from, nonce }: DecodedTransaction, state: ChainState): void => {
  const next = nonceOf(state, from);
  if (nonce < next) throw refuse(`nonce too low: next nonce ${next}, tx nonce ${nonce}`);
};

const assertFunds = (
  transaction: DecodedTransaction,
  waiting: Iterable<DecodedTransaction>,
  state: ChainState,
): void => {
  const balance = readAccount(state, transaction.from).balance;
  let cost = toCost(transaction);
  for (const other of waiting) if (other.nonce !== transaction.nonce) cost += toCost(other);
  if (cost > balance)
    throw refuse(
      `insufficient funds for gas * price + value: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`,
    );
};

const isBump = (before: bigint, after: bigint): boolean => after * 100n >= before * (100n + BUMP_PERCENT);

const assertReplaces = (old: DecodedTransaction, transaction: DecodedTransaction): void => {
  const raises =
    isBump(old.maxFeePerGas, transaction.maxFeePerGas) &&
    isBump(old.maxPriorityFeePerGas, transaction.maxPriorityFeePerGas) &&
    transaction.maxFeePerGas > old.maxFeePerGas;
  if (!raises) throw refuse('replacement transaction underpriced');
};

const toExecutable = (waiting: ReadonlyMap<number, DecodedTransaction>, nonce: number): DecodedTransaction[] => {
  const found: DecodedTransaction[] = [];
  for (let next = waiting.get(nonce); next !== undefined; next = waiting.get(next.nonce + 1)) found.push(next);
  return found;
};

const findCheapest = (transactions: Iterable<DecodedTransaction>): DecodedTransaction | undefined => {
  let cheapest: DecodedTransaction | undefined;
  for (const each of transactions) {
    if (cheapest === undefined || each.maxPriorityFeePerGas < cheapest.maxPriorityFeePerGas) cheapest = each;
  }
  return cheapest;
};

/** A pool that holds `initial`. */
export const createPool = (options: PoolOptions, initial: readonly DecodedTransaction[] = []): Pool => {
  const byHash = new Map<Hex, DecodedTransaction>();
  const bySender = new Map<Hex, Map<number, DecodedTransaction>>();

  const waitingOf = (address: Hex): Map<number, DecodedTransaction> => bySender.get(address) ?? new Map();
  const put = (transaction: DecodedTransaction): void => {
    const waiting = waitingOf(transaction.from);
    const replaced = waiting.get(transaction.nonce);
    if (replaced !== undefined) byHash.delete(replaced.hash);
    waiting.set(transaction.nonce, transaction);
    bySender.set(transaction.from, waiting);
    byHash.set(transaction.hash, transaction);
  };
  const remove = (hash: Hex): void => {
    const transaction = byHash.get(hash);
    if (transaction === undefined) return;
    byHash.delete(hash);
    const waiting = waitingOf(transaction.from);
    waiting.delete(transaction.nonce);
    if (waiting.size === 0) bySender.delete(transaction.from);
  };
  const makeSpace = (transaction: DecodedTransaction): void => {
    if (byHash.size < options.transactionsMax) return;
    const cheapest = findCheapest(byHash.values())!;
    if (cheapest.maxPriorityFeePerGas >= transaction.maxPriorityFeePerGas) throw refuse('txpool is full');
    remove(cheapest.hash);
  };
  const add = (transaction: DecodedTransaction, state: ChainState): void => {
    if (byHash.has(transaction.hash)) throw refuse('already known');
    assertAcceptable(transaction, options);
    assertNonce(transaction, state);
    const waiting = waitingOf(transaction.from);
    assertFunds(transaction, waiting.values(), state);
    const old = waiting.get(transaction.nonce);
    if (old === undefined) makeSpace(transaction);
    else assertReplaces(old, transaction);
    put(transaction);
  };

  for (const transaction of initial) put(transaction);
  return {
    add,
    find: (hash) => byHash.get(hash),
    executable: (state) => [...bySender].map(([address, waiting]) => toExecutable(waiting, nonceOf(state, address))),
    pendingNonce: (address, state) => {
      const nonce = nonceOf(state, address);
      return nonce + toExecutable(waitingOf(address), nonce).length;
    },
    prune: (state) => {
      for (const { hash, from, nonce } of [...byHash.values()]) if (nonce < nonceOf(state, from)) remove(hash);
    },
    remove,
    list: () => [...byHash.values()],
    clone: () => createPool(options, [...byHash.values()]),
  };
};

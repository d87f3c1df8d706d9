// Submits signed transactions: waits until each is mined, and then until it is final.
import { setTimeout as sleep } from 'node:timers/promises';
import { Transaction } from 'ethers';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock, type TransactionReceipt } from '../jsonRpc/chainQueries.ts';
import type { MinedTransaction, SubmitOptions } from '../port.ts';
import { isUnavailable, type NodeSet } from './nodeSet.ts';
import {
  createTransactionKeeper,
  type SignedTransaction,
  type TransactionKeeper,
  type TransactionKeeperOptions,
} from './transactionKeeper.ts';

/** Both methods as in `ChainPort`. */
export interface TransactionSubmitter {
  submit(raw: Uint8Array, options?: SubmitOptions): Promise<MinedTransaction>;
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
}

const WAIT_MS_MIN = 20;

const toSigned = (raw: Uint8Array, { account }: SubmitOptions): SignedTransaction => {
  if (account !== undefined) return { raw, from: account.address, nonce: account.nonce };
  const { from, nonce } = Transaction.from(toHex(raw));
  return { raw, from: from!.toLowerCase() as Hex, nonce };
};

const toMined = ({ transactionHash, number, hasSucceeded }: TransactionReceipt): MinedTransaction => ({
  hash: transactionHash,
  blockNumber: number,
  outcome: hasSucceeded ? 'succeeded' : 'reverted',
});

/** Options of a submitter. */
export interface TransactionSubmitterOptions extends TransactionKeeperOptions {
  /** Longest pause between two queries of the chain, in milliseconds. */
  readonly pollMs: number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

// Pauses that double up to `pauseMsMax`.
const createPause = (pauseMsMax: number, signal: AbortSignal | undefined) => {
  let ms = WAIT_MS_MIN;
  return async (): Promise<void> => {
    await sleep(ms, undefined, signal && { signal });
    ms = Math.min(ms * 2, pauseMsMax);
  };
};

const waitUntilMined = async (
  { pollMs, onProblem }: TransactionSubmitterOptions,
  keeper: TransactionKeeper,
  { signal }: SubmitOptions,
): Promise<TransactionReceipt> => {
  const pause = createPause(pollMs, signal);
  for (;;) {
    signal?.throwIfAborted();
    try {
      const receipt = await keeper.attempt();
      if (receipt !== undefined) return receipt;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onProblem(`the transaction ${keeper.newestHash} is looked up, and sent again if needed`, error);
    }
    await pause();
  }
};

// A receipt may be of a block that was replaced.
const isFinalBlock = (nodes: NodeSet, { number, hash }: TransactionReceipt): Promise<boolean> =>
  nodes.useFinal(async (client, final) => {
    if (number >= final.number) return hash === final.hash;
    return (await fetchBlock(client, number))?.hash === hash;
  });

const waitUntilFinal = async (
  { nodes, pollMs }: TransactionSubmitterOptions,
  keeper: TransactionKeeper,
  signal: AbortSignal | undefined,
): Promise<MinedTransaction> => {
  const pause = createPause(pollMs, signal);
  for (;;) {
    signal?.throwIfAborted();
    const final = await nodes.fetchFinal();
    const receipt = await keeper.attempt();
    const isFinal = receipt !== undefined && receipt.number <= final.number && (await isFinalBlock(nodes, receipt));
    if (isFinal) return toMined(receipt);
    await pause();
  }
};

/** A submitter for the chain of `nodes`. */
export const createTransactionSubmitter = (options: TransactionSubmitterOptions): TransactionSubmitter => {
  // Keepers of the transactions that are mined and not known to be final.
  const keepers = new Map<Hex, TransactionKeeper>();
  return {
    submit: async (raw, submitOptions = {}) => {
      const keeper = createTransactionKeeper(options, toSigned(raw, submitOptions), submitOptions);
      const receipt = await waitUntilMined(options, keeper, submitOptions);
      keepers.set(receipt.transactionHash, keeper);
      return toMined(receipt);
    },
    awaitFinal: async (mined, signal) => {
      const keeper = keepers.get(mined.hash);
      if (keeper === undefined) return mined;
      try {
        const final = await waitUntilFinal(options, keeper, signal);
        keepers.delete(mined.hash);
        return final;
      } catch (error) {
        if (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED') keepers.delete(mined.hash);
        throw error;
      }
    },
  };
};

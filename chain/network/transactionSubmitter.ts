// Submits signed transactions: waits until each is mined, and then until it is final.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock, fetchReceipt, type TransactionReceipt } from '../jsonRpc/chainQueries.ts';
import { FalseAnswer } from '../jsonRpc/falseAnswer.ts';
import type { MinedTransaction, SubmitOptions } from '../port.ts';
import { decodeSignedTransaction } from '../signedTransaction.ts';
import { type BlockWatch, type BlockWatchOptions, createBlockWatch } from './blockWatch.ts';
import { isUnavailable } from './nodeSet.ts';
import type { ProvenOutcomes } from './provenOutcomes.ts';
import {
  createTransactionKeeper,
  type FoundReceipt,
  type SignedTransaction,
  type TransactionKeeper,
  type TransactionKeeperOptions,
} from './transactionKeeper.ts';

/** Both methods as in `ChainPort`. */
export interface TransactionSubmitter {
  submit(raw: Uint8Array, options?: SubmitOptions): Promise<MinedTransaction>;
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
}

const PAUSE_MS_MIN = 20;

const toSigned = (raw: Uint8Array, { account }: SubmitOptions): SignedTransaction => {
  if (account !== undefined) return { raw, from: account.address, nonce: account.nonce };
  const { from, fields } = decodeSignedTransaction(raw);
  return { raw, from: from!, nonce: fields.nonce };
};

const toMined = ({ transactionHash, number, hasSucceeded, gasUsed }: TransactionReceipt): MinedTransaction => ({
  hash: transactionHash,
  blockNumber: number,
  gasUsed,
  outcome: hasSucceeded ? 'succeeded' : 'reverted',
});

/** Options of a submitter. */
export interface TransactionSubmitterOptions extends TransactionKeeperOptions {
  readonly outcomes: Pick<ProvenOutcomes, 'check'>;
  /** Longest pause between two queries of the chain, in milliseconds. */
  readonly pollMs: number;
  /** Announces blocks; without it they are polled. */
  readonly heads?: BlockWatchOptions['heads'];
  readonly onProblem: (message: string, cause?: unknown) => void;
}

// Pauses that double up to `pauseMsMax`.
const createPause = (pauseMsMax: number, signal: AbortSignal | undefined) => {
  let ms = PAUSE_MS_MIN;
  return async (): Promise<void> => {
    await sleep(ms, undefined, signal && { signal });
    ms = Math.min(ms * 2, pauseMsMax);
  };
};

// Reports once that transactions can't be looked up, and once that they can again, however many there are.
const createReport = ({ onProblem }: TransactionSubmitterOptions) => {
  let isAway = false;
  return {
    failed: (error: unknown): void => {
      if (!isAway) onProblem("transactions can't be looked up now; each is sent again if needed", error);
      isAway = true;
    },
    succeeded: (): void => {
      if (isAway) onProblem('transactions are looked up again');
      isAway = false;
    },
  };
};

interface Waiting {
  readonly options: TransactionSubmitterOptions;
  readonly blocks: BlockWatch;
  readonly report: ReturnType<typeof createReport>;
}

const waitUntilMined = async (
  { options, blocks, report }: Waiting,
  keeper: TransactionKeeper,
  { signal }: SubmitOptions,
): Promise<TransactionReceipt> => {
  const pause = createPause(options.pollMs, signal);
  for (;;) {
    signal?.throwIfAborted();
    try {
      const receipt = await keeper.attempt();
      report.succeeded();
      if (receipt !== undefined) return receipt;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      report.failed(error);
      await pause();
      continue;
    }
    await blocks.awaitTransaction(keeper.hashes, signal);
  }
};

// Whether the node that gave a receipt of a replaced block has replaced that block too, so that it contradicts itself.
const contradictsItself = async ({ client, transactionHash }: FoundReceipt): Promise<boolean> => {
  const again = await fetchReceipt(client, transactionHash);
  const block = again && (await fetchBlock(client, again.number));
  return block !== undefined && block.hash !== again!.hash;
};

// A receipt may be of a block that was replaced, or invented. Then its node isn't believed for some time, and the
// transaction is looked up, or sent, again.
const isProven = async ({ nodes, outcomes }: TransactionSubmitterOptions, receipt: FoundReceipt): Promise<boolean> => {
  const proof = await nodes.useFinal(async (client, final) =>
    receipt.number <= final.number ? outcomes.check(client, final, receipt) : undefined,
  );
  const isWrong = proof === 'false' || (proof === 'replaced' && (await contradictsItself(receipt)));
  const { client, transactionHash, number } = receipt;
  const problem = `a receipt of ${transactionHash} that block ${number} doesn't have`;
  if (isWrong) nodes.distrust(new FalseAnswer(client, problem), client);
  return proof === 'true';
};

const waitUntilFinal = async (
  { options, blocks }: Waiting,
  keeper: TransactionKeeper,
  signal: AbortSignal | undefined,
): Promise<MinedTransaction> => {
  for (;;) {
    signal?.throwIfAborted();
    const final = await options.nodes.fetchFinal();
    const receipt = await keeper.attempt();
    if (receipt !== undefined && receipt.number <= final.number && (await isProven(options, receipt)))
      return toMined(receipt);
    await blocks.awaitBlock(signal);
  }
};

/** A submitter for the chain of `nodes`. */
export const createTransactionSubmitter = (options: TransactionSubmitterOptions): TransactionSubmitter => {
  // Keepers of the transactions that are mined and not known to be final.
  const keepers = new Map<Hex, TransactionKeeper>();
  const waiting: Waiting = { options, blocks: createBlockWatch(options), report: createReport(options) };
  return {
    submit: async (raw, submitOptions = {}) => {
      const keeper = createTransactionKeeper(options, toSigned(raw, submitOptions), submitOptions);
      const receipt = await waitUntilMined(waiting, keeper, submitOptions);
      keepers.set(receipt.transactionHash, keeper);
      return toMined(receipt);
    },
    awaitFinal: async (mined, signal) => {
      const keeper = keepers.get(mined.hash);
      if (keeper === undefined) return mined;
      try {
        const final = await waitUntilFinal(waiting, keeper, signal);
        keepers.delete(mined.hash);
        return final;
      } catch (error) {
        if (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED') keepers.delete(mined.hash);
        throw error;
      }
    },
  };
};

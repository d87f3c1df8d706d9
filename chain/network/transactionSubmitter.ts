// Submits signed transactions and keeps them on the chain. A failed call proves nothing about its effect: the
// transaction is looked up, and the same bytes are sent again. The same happens when its block is replaced by another.
import { setTimeout as sleep } from 'node:timers/promises';
import { Transaction } from 'ethers';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import {
  fetchBlock,
  fetchReceipt,
  fetchTransactionCount,
  isTransactionKnown,
  type TransactionReceipt,
  toTransactionHash,
} from '../jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import type { MinedTransaction, SubmitOptions } from '../port.ts';
import { isUnavailable, type NodeSet } from './nodeSet.ts';
import { readRefusal } from './submissionRefusal.ts';

/** Both methods as in `ChainPort`. */
export interface TransactionSubmitter {
  submit(raw: Uint8Array, options?: SubmitOptions): Promise<MinedTransaction>;
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
}

interface Version {
  readonly hash: Hex;
  readonly raw: Uint8Array;
}

/** A transaction and the cheaper ones that it replaced, all with the same nonce: any of them may be mined. */
interface Pending {
  readonly from: Hex;
  readonly nonce: number;
  /** Newest first. */
  readonly versions: Version[];
}

const WAIT_MS_MIN = 20;
/** Blocks without the transaction after which its bid counts as too low. */
const BLOCKS_UNTIL_STUCK = 3;
const RESEND_MS = 5_000;
const RAISES_MAX = 10;

const toVersion = (raw: Uint8Array): Version => ({ hash: toTransactionHash(raw), raw });

const toPending = (raw: Uint8Array): Pending => {
  const { from, nonce } = Transaction.from(toHex(raw));
  return { from: from!.toLowerCase() as Hex, nonce, versions: [toVersion(raw)] };
};

const toMined = ({ transactionHash, number, hasSucceeded }: TransactionReceipt): MinedTransaction => ({
  hash: transactionHash,
  blockNumber: number,
  outcome: hasSucceeded ? 'succeeded' : 'reverted',
});

const refuse = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('TRANSACTION_REFUSED', { message, cause });

const findReceipt = async (client: JsonRpcClient, { versions }: Pending): Promise<TransactionReceipt | undefined> => {
  for (const { hash } of versions) {
    const receipt = await fetchReceipt(client, hash);
    if (receipt !== undefined) return receipt;
  }
  return undefined;
};

type Sent = 'sent' | 'tooCheap';

// The meaning of a node's error shows in its state: it has the receipt, the transaction, or another one with this
// nonce.
const explainRefusal = async (client: JsonRpcClient, pending: Pending, error: RpcError): Promise<Sent> => {
  if ((await findReceipt(client, pending)) !== undefined) return 'sent';
  if (await isTransactionKnown(client, pending.versions[0]!.hash)) return 'sent';
  if ((await fetchTransactionCount(client, pending.from)) > pending.nonce) {
    // It may have been mined between the two queries.
    if ((await findReceipt(client, pending)) !== undefined) return 'sent';
    throw refuse(`another transaction of ${pending.from} has the nonce ${pending.nonce}`, error);
  }
  const reason = readRefusal(error.message);
  if (reason === 'tooCheap') return 'tooCheap';
  if (reason === 'unfunded') {
    throw new LedgerError('RELAYER_UNFUNDED', { message: `${pending.from}: ${error.message}`, cause: error });
  }
  throw refuse(`${client.name} refuses the transaction: ${error.message}`, error);
};

const sendNewest = async (client: JsonRpcClient, pending: Pending): Promise<Sent> => {
  try {
    await client.request('eth_sendRawTransaction', [toHex(pending.versions[0]!.raw)]);
    return 'sent';
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return explainRefusal(client, pending, error);
  }
};

/** Options of a submitter. */
export interface TransactionSubmitterOptions {
  readonly nodes: NodeSet;
  /** Milliseconds. */
  readonly now: () => number;
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

const raise = async (pending: Pending, { replace }: SubmitOptions): Promise<boolean> => {
  const raw = pending.versions.length > RAISES_MAX ? undefined : await replace?.();
  if (raw !== undefined) pending.versions.unshift(toVersion(raw));
  return raw !== undefined;
};

// One attempt: sends the transaction if that is due, then looks for its receipt.
const createTry = ({ nodes, now }: TransactionSubmitterOptions, pending: Pending, options: SubmitOptions) => {
  let isSent = false;
  let sentAtMs = 0;
  let sentAtBlock = 0;
  const send = async (client: JsonRpcClient): Promise<void> => {
    isSent = false;
    while ((await sendNewest(client, pending)) === 'tooCheap') {
      if (!(await raise(pending, options)))
        throw refuse('the bid is too low, or another transaction of this nonce has bid more');
    }
    isSent = true;
    sentAtMs = now();
    sentAtBlock = nodes.headNumber;
  };
  const isDue = async (): Promise<boolean> => {
    if (!isSent || now() >= sentAtMs + RESEND_MS) return true;
    return nodes.headNumber >= sentAtBlock + BLOCKS_UNTIL_STUCK && raise(pending, options);
  };
  return (isRepeated: boolean): Promise<TransactionReceipt | undefined> =>
    nodes.use(async (client) => {
      const found = isRepeated ? await findReceipt(client, pending) : undefined;
      if (found !== undefined || !(await isDue())) return found;
      await send(client);
      return findReceipt(client, pending);
    });
};

const submitPending = async (
  options: TransactionSubmitterOptions,
  pending: Pending,
  submitOptions: SubmitOptions,
): Promise<TransactionReceipt> => {
  const { signal } = submitOptions;
  const pause = createPause(options.pollMs, signal);
  const attempt = createTry(options, pending, submitOptions);
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      const receipt = await attempt(tries > 0);
      if (receipt !== undefined) return receipt;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      options.onProblem(`the transaction ${pending.versions[0]!.hash} is looked up, and sent again if needed`, error);
    }
    await pause();
  }
};

// The current receipt; the transaction is sent again when no block has it.
const locate = (nodes: NodeSet, pending: Pending): Promise<TransactionReceipt | undefined> =>
  nodes.use(async (client) => {
    const receipt = await findReceipt(client, pending);
    if (receipt !== undefined) return receipt;
    if ((await sendNewest(client, pending)) === 'sent') return findReceipt(client, pending);
    throw refuse('the transaction is in no block any more, and too cheap for another');
  });

// A cached receipt may be of a block that was replaced.
const isOnChain = (nodes: NodeSet, { number, hash }: TransactionReceipt): Promise<boolean> =>
  nodes.use(async (client) => (await fetchBlock(client, number))?.hash === hash);

const waitUntilFinal = async (
  { nodes, pollMs }: TransactionSubmitterOptions,
  pending: Pending,
  signal: AbortSignal | undefined,
): Promise<MinedTransaction> => {
  const pause = createPause(pollMs, signal);
  for (;;) {
    signal?.throwIfAborted();
    const final = await nodes.fetchFinal();
    const receipt = await locate(nodes, pending);
    const isFinal = receipt !== undefined && receipt.number <= final.number && (await isOnChain(nodes, receipt));
    if (isFinal) return toMined(receipt);
    await pause();
  }
};

/** A submitter for the chain of `nodes`. */
export const createTransactionSubmitter = (options: TransactionSubmitterOptions): TransactionSubmitter => {
  // Transactions that are mined and not known to be final.
  const pendings = new Map<Hex, Pending>();
  return {
    submit: async (raw, submitOptions = {}) => {
      const pending = toPending(raw);
      const receipt = await submitPending(options, pending, submitOptions);
      pendings.set(receipt.transactionHash, pending);
      return toMined(receipt);
    },
    awaitFinal: async (mined, signal) => {
      const pending = pendings.get(mined.hash);
      if (pending === undefined) return mined;
      try {
        const final = await waitUntilFinal(options, pending, signal);
        pendings.delete(mined.hash);
        return final;
      } catch (error) {
        if (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED') pendings.delete(mined.hash);
        throw error;
      }
    },
  };
};

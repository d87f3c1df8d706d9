// Sends the transactions of one account, one after the other. Their nonces follow from the chain's count and from the
// transactions that are mined and not yet final: when another block replaces theirs, no other transaction gets their
// nonces. A transaction that waits behind a missing nonce is refused, and its call gets that nonce.

import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { AccountNonce, Bid, ChainPort, Fees, MinedTransaction, UnsignedCall } from '../port.ts';
import { toPrice } from '../toPrice.ts';
import type { Wallet } from '../wallet.ts';
import { type AccountNonces, createAccountNonces } from './accountNonces.ts';
import { createSerialQueue } from './serialQueue.ts';
import { signTransaction } from './signTransaction.ts';

/** A call that a sender puts into a transaction of its account. */
export interface SentCall extends Omit<UnsignedCall, 'from'> {
  /**
   * Whether its effect happens once, also when transactions with several nonces make it. Only then the sender gives it
   * another nonce by itself.
   */
  readonly isIdempotent?: boolean;
  /** Called before a transaction with this nonce makes the call. When it rejects, nothing is sent. */
  readonly onNonce?: (account: AccountNonce) => Promise<void>;
}

/** A transaction of a sender that is in a block, with its nonce. */
export interface SentTransaction extends MinedTransaction {
  readonly account: AccountNonce;
}

/** Sends the transactions of one account. */
export interface TransactionSender {
  readonly address: Hex;
  /**
   * Signs and submits a transaction; resolves when it is mined, whether it succeeded or reverted. Calls are served one
   * after the other. When an earlier nonce stays missing, an idempotent call gets that nonce. Rejects with
   * TRANSACTION_REFUSED when the chain refused the transaction, or an earlier nonce stays missing: it may still be
   * mined then. Rejects with RELAYER_UNFUNDED when the account can't pay for it.
   */
  send(call: SentCall, signal?: AbortSignal): Promise<SentTransaction>;
  /**
   * Resolves when the call of a transaction of this sender is in a final block, with its transaction there. When the
   * chain will never include the first one, an idempotent call is sent again: then rejects with CHAIN_UNAVAILABLE, and
   * must be called again. Any other call rejects with TRANSACTION_REFUSED.
   */
  awaitFinal(mined: SentTransaction, signal?: AbortSignal): Promise<SentTransaction>;
  /**
   * Resolves when the transaction is in a final block, or the chain will not include it as it is: its call never gets
   * another nonce, because other transactions make the same call by now.
   */
  awaitReplaced(mined: SentTransaction, signal?: AbortSignal): Promise<void>;
}

// Nodes require a tenth more before they replace a transaction.
const BUMP_PERCENT = 125n;
const raise = (wei: bigint): bigint => (wei * BUMP_PERCENT) / 100n;
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * Fees of a replacement transaction: a quarter above `fees`, or the current price if that is higher. Undefined where
 * gas is free.
 */
export const raiseFees = (fees: Fees, now: Fees): Fees | undefined => {
  if ('gasPrice' in fees) {
    const current = 'gasPrice' in now ? now.gasPrice : now.maxFeePerGas;
    return fees.gasPrice === 0n && current === 0n ? undefined : { gasPrice: higher(raise(fees.gasPrice), current) };
  }
  if (fees.maxFeePerGas === 0n || 'gasPrice' in now) return undefined;
  return {
    maxFeePerGas: higher(raise(fees.maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: higher(raise(fees.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  };
};

/** A call that was sent, and is not known to be in a final block. */
interface Sent {
  readonly call: SentCall;
  nonce: number;
  /** Whether an earlier nonce was missing when the chain was queried last. */
  isBehindGap: boolean;
  /** Its mined transaction; undefined before, and when the chain refused that and the call must be sent again. */
  transaction: MinedTransaction | undefined;
}

/** Whether the chain refused a transaction. */
export const isRefused = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED';

const toRepeatable = (cause: LedgerError): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `the transaction is sent again: ${cause.message}`, cause });

// Another transaction with the missing nonce must follow, or the first one would stay in the nodes' pools.
const repeatBehindGap = async <T>(sent: Sent, task: (isAgain: boolean) => Promise<T>): Promise<T> => {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await task(isAgain);
    } catch (error) {
      if (!isRefused(error) || !sent.isBehindGap || sent.call.isIdempotent !== true) throw error;
    }
  }
};

// Signs a call and submits it until it is mined.
const createSubmit =
  (chain: ChainPort, wallet: Wallet, nonces: AccountNonces) =>
  async (sent: Sent, bid: Bid, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
    const { call, nonce } = sent;
    sent.isBehindGap = false;
    const account = { address: wallet.address, nonce };
    await call.onNonce?.(account);
    const to = call.to === undefined ? undefined : fromHex(call.to);
    const { chainId } = chain;
    const { gasLimit } = bid;
    const sign = (fees: Fees): Uint8Array =>
      signTransaction({ chainId, nonce, gasLimit, fees, to, value: call.value ?? 0n, data: call.data }, wallet);
    let fees: Fees | undefined = bid.fees;
    const replace = async (): Promise<Uint8Array | undefined> => {
      fees = fees && raiseFees(fees, await chain.fetchFees());
      return fees && sign(fees);
    };
    const reprice = async (): Promise<Uint8Array | undefined> => {
      const now = await chain.fetchFees();
      if (fees === undefined || toPrice(now) >= toPrice(fees)) return undefined;
      fees = now;
      return sign(now);
    };
    return chain.submitTransaction(sign(bid.fees), {
      replace,
      reprice,
      account,
      isBehindGap: (count) => {
        sent.isBehindGap = nonces.isFirstBehindGap(nonce, count);
        return sent.isBehindGap;
      },
      ...(signal && { signal }),
    });
  };

// The account's count for the next transaction: known when one was just mined, and fetched after anything else.
const createNextCount = (fetchCount: () => Promise<number>) => {
  let next: number | undefined;
  return {
    take: async (): Promise<number> => {
      const count = next ?? (await fetchCount());
      next = undefined;
      return count;
    },
    set: (count: number): void => {
      next = count;
    },
    forget: (): void => {
      next = undefined;
    },
  };
};

const withNonce = (transaction: MinedTransaction, address: Hex, { nonce }: Sent): SentTransaction => ({
  ...transaction,
  account: { address, nonce },
});

// Waits until sent calls are final. `sendAgain` gives a call another nonce, `onRefused` is called when a nonce may have
// become free.
const createAwaiting = (options: {
  chain: ChainPort;
  address: Hex;
  nonces: AccountNonces;
  /** By the hash that `send` resolved with. */
  sentCalls: Map<Hex, Sent>;
  sendAgain: (sent: Sent, signal: AbortSignal | undefined) => Promise<MinedTransaction>;
  onRefused: () => void;
}): Pick<TransactionSender, 'awaitFinal' | 'awaitReplaced'> => {
  const { chain, address, nonces, sentCalls, sendAgain, onRefused } = options;
  // Not after the calls that wait in the queue: they may wait for the nonce that this one gets.
  const awaitFinalOf = async (sent: Sent, signal: AbortSignal | undefined): Promise<SentTransaction> => {
    try {
      sent.transaction ??= await sendAgain(sent, signal);
      return withNonce(await chain.awaitFinal(sent.transaction, signal), address, sent);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      onRefused();
      if (sent.call.isIdempotent !== true) throw cause;
      sent.transaction = undefined;
      throw toRepeatable(cause);
    }
  };
  const forget = ({ hash }: SentTransaction): void => {
    const sent = sentCalls.get(hash);
    sentCalls.delete(hash);
    if (sent !== undefined) nonces.release(sent.nonce);
  };
  return {
    awaitFinal: async (mined, signal) => {
      const known = sentCalls.get(mined.hash);
      if (known === undefined) return { ...(await chain.awaitFinal(mined, signal)), account: mined.account };
      const waiting = awaitFinalOf(known, signal);
      // Nothing sends any other call again before the caller does, so its nonce may be missing.
      const isOver = await waiting.then(
        () => true,
        () => known.call.isIdempotent !== true,
      );
      if (isOver) forget(mined);
      return waiting;
    },
    awaitReplaced: async (mined, signal) => {
      try {
        await chain.awaitFinal(mined, signal);
      } catch (cause) {
        if (!isRefused(cause)) throw cause;
        onRefused();
      }
      forget(mined);
    },
  };
};

/** The sender of a wallet's transactions. Two senders of one wallet would use the same nonces. */
export const createTransactionSender = (chain: ChainPort, wallet: Wallet): TransactionSender => {
  const { address } = wallet;
  const runSerially = createSerialQueue();
  const nonces = createAccountNonces();
  const submit = createSubmit(chain, wallet, nonces);
  const sentCalls = new Map<Hex, Sent>();
  const next = createNextCount(() => chain.fetchNonce(address));
  const fetchBid = (call: SentCall): Promise<Bid> => chain.fetchBid({ ...call, from: address });

  const sendAgain = async (sent: Sent, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
    const [count, bid] = await Promise.all([chain.fetchNonce(address), fetchBid(sent.call)]);
    sent.nonce = nonces.moveToFirstFree(sent.nonce, count);
    return submit(sent, bid, signal);
  };

  const send: TransactionSender['send'] = async (call, signal) => {
    const [count, bid] = await Promise.all([next.take(), fetchBid(call)]);
    const sent: Sent = { call, nonce: nonces.takeNext(count), isBehindGap: false, transaction: undefined };
    try {
      const transaction = await repeatBehindGap(sent, (isAgain) =>
        isAgain ? sendAgain(sent, signal) : submit(sent, bid, signal),
      );
      sent.transaction = transaction;
      sentCalls.set(transaction.hash, sent);
      next.set(sent.nonce + 1);
      return withNonce(transaction, address, sent);
    } catch (error) {
      nonces.release(sent.nonce);
      throw error;
    }
  };

  return {
    address,
    send: (call, signal) => runSerially(() => send(call, signal)),
    ...createAwaiting({ chain, address, nonces, sentCalls, sendAgain, onRefused: next.forget }),
  };
};

// Sends the transactions of one account, one after the other. Their nonces follow from the chain's count and from the
// transactions that are mined and not yet final: when another block replaces theirs, no other transaction gets their
// nonces. A transaction that waits behind a missing nonce is refused, and its call gets that nonce.

import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { Bid, ChainPort, Fees, MinedTransaction, UnsignedCall } from '../port.ts';
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
}

/** Sends the transactions of one account. */
export interface TransactionSender {
  readonly address: Hex;
  /**
   * Signs and submits a transaction; resolves when it is mined, whether it succeeded or reverted. Calls are served one
   * after the other. Rejects with TRANSACTION_REFUSED when the chain refused it, or an earlier nonce stays missing: the
   * transaction may still be mined then, and the next call gets the missing nonce. Rejects with RELAYER_UNFUNDED when
   * the account can't pay for it.
   */
  send(call: SentCall, signal?: AbortSignal): Promise<MinedTransaction>;
  /**
   * Resolves when the call of a transaction of this sender is in a final block, with its transaction there. When the
   * chain will never include the first one, an idempotent call is sent again: then rejects with CHAIN_UNAVAILABLE, and
   * must be called again. Any other call rejects with TRANSACTION_REFUSED.
   */
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
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

/** A call whose transaction was mined, and is not known to be final. */
interface Mined {
  readonly call: SentCall;
  nonce: number;
  /** Its current transaction; undefined when the chain refused that, and the call must be sent again. */
  transaction: MinedTransaction | undefined;
}

const isRefused = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED';

const toRepeatable = (cause: LedgerError): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message: `the transaction is sent again: ${cause.message}`, cause });

// Signs a call and submits it until it is mined.
const createSubmit =
  (chain: ChainPort, wallet: Wallet, nonces: AccountNonces) =>
  async (call: SentCall, nonce: number, bid: Bid, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
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
    return chain.submitTransaction(sign(bid.fees), {
      replace,
      account: { address: wallet.address, nonce },
      isBehindGap: (count) => nonces.isFirstBehindGap(nonce, count),
      ...(signal && { signal }),
    });
  };

/** The sender of a wallet's transactions. Two senders of one wallet would use the same nonces. */
export const createTransactionSender = (chain: ChainPort, wallet: Wallet): TransactionSender => {
  const { address } = wallet;
  const runSerially = createSerialQueue();
  const nonces = createAccountNonces();
  const submit = createSubmit(chain, wallet, nonces);
  // By the hash that `send` resolved with.
  const minedCalls = new Map<Hex, Mined>();
  // The nonce after the transaction that was just mined; undefined after anything else, when the chain is queried.
  let next: number | undefined;
  const takeCount = async (): Promise<number> => {
    const count = next ?? (await chain.fetchNonce(address));
    next = undefined;
    return count;
  };
  const fetchBid = (call: SentCall): Promise<Bid> => chain.fetchBid({ ...call, from: address });

  const send: TransactionSender['send'] = async (call, signal) => {
    const [count, bid] = await Promise.all([takeCount(), fetchBid(call)]);
    const nonce = nonces.takeNext(count);
    try {
      const transaction = await submit(call, nonce, bid, signal);
      minedCalls.set(transaction.hash, { call, nonce, transaction });
      next = nonce + 1;
      return transaction;
    } catch (error) {
      nonces.release(nonce);
      throw error;
    }
  };

  // Not after the transactions that wait in the queue: they may wait for the nonce that this one gets.
  const sendAgain = async (mined: Mined, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
    const [count, bid] = await Promise.all([chain.fetchNonce(address), fetchBid(mined.call)]);
    mined.nonce = nonces.moveToFirstFree(mined.nonce, count);
    return submit(mined.call, mined.nonce, bid, signal);
  };

  const awaitFinalOf = async (mined: Mined, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
    try {
      mined.transaction ??= await sendAgain(mined, signal);
      return await chain.awaitFinal(mined.transaction, signal);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      next = undefined;
      if (mined.call.isIdempotent !== true) throw cause;
      mined.transaction = undefined;
      throw toRepeatable(cause);
    }
  };

  return {
    address,
    send: (call, signal) => runSerially(() => send(call, signal)),
    awaitFinal: async (mined, signal) => {
      const known = minedCalls.get(mined.hash);
      if (known === undefined) return chain.awaitFinal(mined, signal);
      const waiting = awaitFinalOf(known, signal);
      // Nothing sends any other call again before the caller does, so its nonce may be missing.
      const isOver = await waiting.then(
        () => true,
        () => known.call.isIdempotent !== true,
      );
      if (isOver) {
        minedCalls.delete(mined.hash);
        nonces.release(known.nonce);
      }
      return waiting;
    },
  };
};

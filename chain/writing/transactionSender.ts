// Sends the transactions of one account, one after the other. Their nonces follow from the chain's count and from the
// transactions that are mined and not yet final: when another block replaces theirs, no other transaction gets their
// nonces.

import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { ChainPort, Fees, MinedTransaction, UnsignedCall } from '../port.ts';
import type { Wallet } from '../wallet.ts';
import { createSerialQueue } from './serialQueue.ts';
import { signTransaction } from './signTransaction.ts';

/** Sends the transactions of one account. */
export interface TransactionSender {
  readonly address: Hex;
  /**
   * Signs and submits a transaction; resolves when it is mined, whether it succeeded or reverted. Calls are served one
   * after the other. Rejects with TRANSACTION_REFUSED when the chain refused it, RELAYER_UNFUNDED when the account
   * can't pay for it.
   */
  send(call: Omit<UnsignedCall, 'from'>, signal?: AbortSignal): Promise<MinedTransaction>;
  /** `ChainPort.awaitFinal` for a transaction of this sender. */
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

/** The sender of a wallet's transactions. Two senders of one wallet would use the same nonces. */
export const createTransactionSender = (chain: ChainPort, wallet: Wallet): TransactionSender => {
  const runSerially = createSerialQueue();
  // Nonces of transactions that are mined and not yet final, by hash.
  const held = new Map<Hex, number>();
  // The nonce after the transaction that was just mined; undefined after anything else, when the chain is queried.
  let next: number | undefined;

  const fetchNonce = async (): Promise<number> => {
    let nonce = await chain.fetchNonce(wallet.address);
    const taken = new Set(held.values());
    while (taken.has(nonce)) nonce += 1;
    return nonce;
  };
  const takeNonce = async (): Promise<number> => {
    const nonce = next ?? (await fetchNonce());
    next = undefined;
    return nonce;
  };

  const send: TransactionSender['send'] = async (call, signal) => {
    const unsigned = { ...call, from: wallet.address };
    const [nonce, bid] = await Promise.all([takeNonce(), chain.fetchBid(unsigned)]);
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
    const mined = await chain.submitTransaction(sign(fees), { replace, ...(signal && { signal }) });
    held.set(mined.hash, nonce);
    next = nonce + 1;
    return mined;
  };

  return {
    address: wallet.address,
    send: (call, signal) => runSerially(() => send(call, signal)),
    awaitFinal: async (mined, signal) => {
      try {
        const final = await chain.awaitFinal(mined, signal);
        held.delete(mined.hash);
        return final;
      } catch (error) {
        if (error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED') {
          held.delete(mined.hash);
          next = undefined;
        }
        throw error;
      }
    },
  };
};

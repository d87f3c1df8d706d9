// Puts a call into a signed transaction with a nonce and a bid, and submits it: also again with another bid.
import { fromHex } from '../../ledger/encoding/hex.ts';
import type { AccountNonce, Bid, ChainPort, Fees, MinedTransaction, UnsignedCall } from '../port.ts';
import { toPrice } from '../toPrice.ts';
import type { Wallet } from '../wallet.ts';
import type { AccountNonces } from './accountNonces.ts';
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

/** A call that was sent, and is not known to be in a final block. */
export interface Sent {
  readonly call: SentCall;
  nonce: number;
  gasLimit: number;
  /** Whether an earlier nonce was missing when the chain was queried last. */
  isBehindGap: boolean;
  /** Its mined transaction; undefined before, and when the chain refused that and the call must be sent again. */
  transaction: MinedTransaction | undefined;
  /** Resolves when it is mined or refused. */
  readonly over: PromiseWithResolvers<void>;
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

/** Options of one submission of a call. */
export interface Submitting {
  readonly signal: AbortSignal | undefined;
  readonly onSent?: () => void;
}

/** Returns a function that signs a call and submits it until it is mined. */
export const createCallSubmit =
  (chain: ChainPort, wallet: Wallet, nonces: AccountNonces) =>
  async (sent: Sent, bid: Bid, { signal, onSent }: Submitting): Promise<MinedTransaction> => {
    const { call, nonce } = sent;
    sent.isBehindGap = false;
    sent.gasLimit = bid.gasLimit;
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
      ...(onSent && { onSent }),
    });
  };

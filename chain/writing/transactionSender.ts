// Sends the transactions of one account. The next one is sent when a node has accepted the one before, mined or not.
// Their nonces follow from the chain's count and from the transactions that are sent and not yet final: when another
// block replaces theirs, no other transaction gets their nonces. The next transaction gets a nonce that was refused. A
// transaction that waits behind a nonce that is missing all the same is refused, and its call gets that nonce; those
// that are then missing before its former one are filled.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { AccountNonce, Bid, ChainPort, MinedTransaction } from '../port.ts';
import type { Wallet } from '../wallet.ts';
import { type AccountNonces, createAccountNonces } from './accountNonces.ts';
import { createGapFill } from './gapFill.ts';
import { createSerialQueue } from './serialQueue.ts';
import { createCallSubmit, type Sent, type SentCall } from './submitCall.ts';

/** A transaction of a sender that is in a block, with its nonce. */
export interface SentTransaction extends MinedTransaction {
  readonly account: AccountNonce;
  /** Whether it reverted with its gas used up, so that the call may succeed with more. */
  readonly mayLackGas?: boolean;
  /** Whether a node was asked how much gas it needs. */
  readonly isEstimated?: boolean;
}

/** Sends the transactions of one account. */
export interface TransactionSender {
  readonly address: Hex;
  /**
   * Signs and submits a transaction; resolves when it is mined, whether it succeeded or reverted. Calls get their
   * nonces in order. When an earlier nonce stays missing, an idempotent call gets that nonce. Rejects with
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

/** Whether the chain refused a transaction. */
export const isRefused = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'TRANSACTION_REFUSED';

const isUnfunded = (error: unknown): boolean => error instanceof LedgerError && error.code === 'RELAYER_UNFUNDED';

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

// The account's count for the next transaction: known when one was just sent, and fetched after anything else.
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

// A call within the transaction gets 63/64 of the gas that is left (EIP-150), so less may be used up.
const mayLackGas = ({ outcome, gasUsed = 0 }: MinedTransaction, { gasLimit }: Sent): boolean =>
  outcome === 'reverted' && gasUsed * 64 >= gasLimit * 63;

const toSentTransaction = (transaction: MinedTransaction, address: Hex, sent: Sent): SentTransaction => ({
  ...transaction,
  account: { address, nonce: sent.nonce },
  ...(mayLackGas(transaction, sent) && { mayLackGas: true }),
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
      return toSentTransaction(await chain.awaitFinal(sent.transaction, signal), address, sent);
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
        // What was sent last: the chain port keeps it until it is final.
        await chain.awaitFinal(sentCalls.get(mined.hash)?.transaction ?? mined, signal);
      } catch (cause) {
        if (!isRefused(cause)) throw cause;
        onRefused();
      }
      forget(mined);
    },
  };
};

interface Bidding {
  fetchBid(call: SentCall): Promise<Bid>;
  /** The same beside those in flight: an account that can pay for the call alone waits for them. */
  fetchBidBeside(call: SentCall): Promise<Bid>;
}

const createBidding = (chain: ChainPort, from: Hex, unmined: ReadonlySet<Sent>): Bidding => ({
  fetchBid: (call) => chain.fetchBid({ ...call, from }),
  fetchBidBeside: async (call) => {
    for (;;) {
      const others = [...unmined];
      const gasInFlight = others.reduce((sum, { gasLimit }) => sum + gasLimit, 0);
      try {
        return await chain.fetchBid({ ...call, from, gasInFlight });
      } catch (error) {
        if (!isUnfunded(error) || others.length === 0) throw error;
        await Promise.race(others.map(({ over }) => over.promise));
      }
    }
  },
});

// Sends a call with the next nonce. `onSent` is called when a node has accepted its transaction.
const createSendNext = (options: {
  nonces: AccountNonces;
  next: ReturnType<typeof createNextCount>;
  unmined: Set<Sent>;
  fetchBidBeside: Bidding['fetchBidBeside'];
  submit: ReturnType<typeof createCallSubmit>;
  sendAgain: (sent: Sent, signal: AbortSignal | undefined) => Promise<MinedTransaction>;
}) => {
  const { nonces, next, unmined, fetchBidBeside, submit, sendAgain } = options;
  return async (call: SentCall, signal: AbortSignal | undefined, onSent: () => void): Promise<Sent> => {
    const [count, bid] = await Promise.all([next.take(), fetchBidBeside(call)]);
    const nonce = nonces.takeNext(count);
    const over = Promise.withResolvers<void>();
    const sent: Sent = { call, nonce, gasLimit: bid.gasLimit, isBehindGap: false, transaction: undefined, over };
    unmined.add(sent);
    let isAccepted = false;
    const accept = (): void => {
      if (!isAccepted) next.set(nonce + 1);
      isAccepted = true;
      onSent();
    };
    try {
      sent.transaction = await repeatBehindGap(sent, (isAgain) =>
        isAgain ? sendAgain(sent, signal) : submit(sent, bid, { signal, onSent: accept }),
      );
      if (sent.nonce === nonce) accept();
      return sent;
    } catch (error) {
      nonces.giveUp(sent.nonce);
      next.forget();
      throw error;
    } finally {
      unmined.delete(sent);
      over.resolve();
    }
  };
};

/** The sender of a wallet's transactions. Two senders of one wallet would use the same nonces. */
export const createTransactionSender = (chain: ChainPort, wallet: Wallet): TransactionSender => {
  const { address } = wallet;
  const runSerially = createSerialQueue();
  const nonces = createAccountNonces();
  const submit = createCallSubmit(chain, wallet, nonces);
  const sentCalls = new Map<Hex, Sent>();
  const unmined = new Set<Sent>();
  const fetchCount = async (): Promise<number> => {
    const count = await chain.fetchNonce(address);
    nonces.noteCount(count);
    return count;
  };
  const next = createNextCount(fetchCount);
  const { fetchBid, fetchBidBeside } = createBidding(chain, address, unmined);
  const fillGap = createGapFill({ chain, address, nonces, unmined, submit });

  const sendAgain = async (sent: Sent, signal: AbortSignal | undefined): Promise<MinedTransaction> => {
    const [count, bid] = await Promise.all([fetchCount(), fetchBid(sent.call)]);
    const { nonce: former } = sent;
    sent.nonce = nonces.moveToFirstFree(former, count);
    next.forget();
    const mined = await submit(sent, bid, { signal });
    fillGap(former, bid.fees, signal);
    return mined;
  };
  const sendNext = createSendNext({ nonces, next, unmined, fetchBidBeside, submit, sendAgain });

  return {
    address,
    // The next call has its turn when this one is sent or over.
    send: async (call, signal) => {
      const { mining } = await runSerially(async () => {
        const accepted = Promise.withResolvers<void>();
        const sending = sendNext(call, signal, accepted.resolve);
        await Promise.race([accepted.promise, sending.catch(() => undefined)]);
        return { mining: sending };
      });
      const sent = await mining;
      sentCalls.set(sent.transaction!.hash, sent);
      return toSentTransaction(sent.transaction!, address, sent);
    },
    ...createAwaiting({ chain, address, nonces, sentCalls, sendAgain, onRefused: next.forget }),
  };
};

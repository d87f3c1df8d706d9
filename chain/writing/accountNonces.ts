// Nonces of one account that transactions of this process have: those that are being submitted, and those that are
// mined and not yet final. A reorg may drop a transaction; its nonce then stays its own, so that the order of the
// transactions stays the same.

/** Nonces of one account. `count` is the number of its mined transactions, as a node reports it. */
export interface AccountNonces {
  /** Takes the nonce for a new transaction: after all others. */
  takeNext(count: number): number;
  /** Gives a transaction that has the nonce `from` the first one that no other transaction has. */
  moveToFirstFree(from: number, count: number): number;
  release(nonce: number): void;
  /**
   * Whether nonces from `count` on are missing before `nonce`, and its transaction is the first one after them: where
   * that lasts, it must move. Transactions after it can wait.
   */
  isFirstBehindGap(nonce: number, count: number): boolean;
}

/** The nonces of an account without transactions in progress. */
export const createAccountNonces = (): AccountNonces => {
  const taken = new Set<number>();
  const findFree = (count: number): number => {
    let nonce = count;
    while (taken.has(nonce)) nonce += 1;
    return nonce;
  };
  return {
    takeNext: (count) => {
      const nonce = Math.max(count, ...[...taken].map((other) => other + 1));
      taken.add(nonce);
      return nonce;
    },
    moveToFirstFree: (from, count) => {
      taken.delete(from);
      const nonce = findFree(count);
      taken.add(nonce);
      return nonce;
    },
    release: (nonce) => {
      taken.delete(nonce);
    },
    isFirstBehindGap: (nonce, count) => {
      const missing = findFree(count);
      return missing < nonce && ![...taken].some((other) => other > missing && other < nonce);
    },
  };
};

// Nonces of one account that transactions of this process have: those that are being submitted, and those that are
// mined and not yet final. A reorg may drop a transaction; its nonce then stays its own, so that the order of the
// transactions stays the same.

/** Missing nonces that are noted at once: the count of a node may be wrong. */
const GAP_MAX = 64;

/** Nonces of one account. `count` is the number of its mined transactions, as a node reports it. */
export interface AccountNonces {
  /** Notes the count that a node has just reported: no nonce before it is missing. */
  noteCount(count: number): void;
  /**
   * Takes the nonce for a new transaction: the first one that is known to be missing before others, else the one after
   * all others.
   */
  takeNext(count: number): number;
  /**
   * Gives a transaction that has the nonce `from` the first one that no other transaction has. The next ones get those
   * that are missing up to `from`.
   */
  moveToFirstFree(from: number, count: number): number;
  /** Takes those below `end` that are known to be missing. */
  takeMissing(end: number): number[];
  /** Frees the nonce of a final transaction. */
  release(nonce: number): void;
  /** Frees the nonce of a transaction that the chain has refused: it is missing where there are later ones. */
  giveUp(nonce: number): void;
  /**
   * Whether nonces from `count` on are missing before `nonce`, and its transaction is the first one after them: where
   * that lasts, it must move. Transactions after it can wait.
   */
  isFirstBehindGap(nonce: number, count: number): boolean;
}

/** The nonces of an account without transactions in progress. */
export const createAccountNonces = (): AccountNonces => {
  const taken = new Set<number>();
  const missing = new Set<number>();
  const findFree = (count: number): number => {
    let nonce = count;
    while (taken.has(nonce)) nonce += 1;
    return nonce;
  };
  const take = (nonce: number): number => {
    taken.add(nonce);
    missing.delete(nonce);
    return nonce;
  };
  return {
    noteCount: (count) => {
      for (const nonce of missing) if (nonce < count) missing.delete(nonce);
    },
    takeNext: (count) => {
      const next = Math.max(count, ...[...taken].map((other) => other + 1));
      return take(missing.size === 0 ? next : Math.min(...missing));
    },
    moveToFirstFree: (from, count) => {
      taken.delete(from);
      const nonce = take(findFree(count));
      for (let other = nonce + 1; other < from && other < nonce + GAP_MAX; other += 1)
        if (!taken.has(other)) missing.add(other);
      return nonce;
    },
    takeMissing: (end) => [...missing].filter((nonce) => nonce < end).map(take),
    release: (nonce) => {
      taken.delete(nonce);
    },
    giveUp: (nonce) => {
      taken.delete(nonce);
      if ([...taken].some((other) => other > nonce)) missing.add(nonce);
    },
    isFirstBehindGap: (nonce, count) => {
      const free = findFree(count);
      return free < nonce && ![...taken].some((other) => other > free && other < nonce);
    },
  };
};

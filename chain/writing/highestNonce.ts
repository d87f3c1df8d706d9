// Which of two nonces is the highest with which transactions were sent.
import type { AccountNonce } from '../port.ts';

/**
 * Nonces between an account's next one and one that a pool may keep: geth keeps 64 transactions of an account that
 * can't be mined yet, Besu 200. One that is further away followed from a wrong count of transactions.
 */
const NONCES_AHEAD_MAX = 1_024;

/** Whether a transaction with the nonce `known` may be mined once one with the nonce `other` is. */
export const isAhead = (known: AccountNonce | undefined, other: AccountNonce): boolean => {
  if (known === undefined || known.address !== other.address) return false;
  const ahead = known.nonce - other.nonce;
  return ahead > 0 && ahead <= NONCES_AHEAD_MAX;
};

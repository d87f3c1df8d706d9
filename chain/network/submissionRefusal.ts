// The meaning of a node's refusal of a transaction. There is no standard: each client has its own codes and texts.

/** Why a pool refuses a transaction: its bid is too low, or its account can't pay for it; undefined for all else. */
export type RefusalReason = 'tooCheap' | 'unfunded';

// geth and anvil: "transaction underpriced", "transaction gas price below minimum", "max fee per gas less than block
// base fee". Besu: "Gas price below configured minimum gas price". Erigon: "fee too low", "could not replace existing
// tx". Nethermind: "FeeTooLowToCompete", "ReplacementNotAllowed".
const TOO_CHEAP = [
  /underpriced/i,
  /less than block base fee/i,
  /gas price below/i,
  /fee ?too ?low/i,
  /could not replace existing/i,
  /replacementnotallowed/i,
];
// Besu: "Upfront cost exceeds account balance". All others: "insufficient funds".
const UNFUNDED = [/insufficient ?funds/i, /up-?front cost.* exceeds .*balance/i];

/** Reads the message of a node's error for `eth_sendRawTransaction`. */
export const readRefusal = (message: string): RefusalReason | undefined => {
  if (UNFUNDED.some((text) => text.test(message))) return 'unfunded';
  return TOO_CHEAP.some((text) => text.test(message)) ? 'tooCheap' : undefined;
};

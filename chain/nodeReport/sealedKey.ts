// What a chain's headers say of its validators: their addresses, and the key that sealed the newest block.
import type { Hex } from '../../ledger/hex.ts';

export interface SealedKey {
  /** Lower-case addresses that the chain names as validators; some chains name them in a contract, so it may be empty. */
  readonly validators: readonly Hex[];
  /** 64 bytes x, y of whoever proposed the newest block; undefined when its seal doesn't say. */
  readonly proposer: Uint8Array | undefined;
}

// The validators that a chain's headers name, and the seals of one block. Recovery returns some key for any seal and
// any digest, so a key is accepted only if it has an expected address.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { type HeaderSeals, toKeyAddress } from '../../../ledger/evidence/sealers.ts';
import { recoverPublicKey } from './publicKey.ts';

/** Validators and seals of a block whose header has the hash that its node reports. */
export interface BlockSeals extends HeaderSeals {
  /** Whether the list of validators is this block's, and not an earlier block's that votes may have changed since. */
  readonly isListCurrent: boolean;
}

/** A recovery takes a third of a millisecond. A block of Besu with 200 validators has 134 seals or more. */
const RECOVERIES_MAX = 256;

/** Whether this may be a validator's address; true where the headers name none. */
export const mayValidate = ({ validators }: BlockSeals, address: Hex): boolean =>
  validators.length === 0 || validators.includes(address);

/** The key with this lower-case address that sealed one of the blocks; undefined when there is none. */
export const findSealer = (blocks: readonly BlockSeals[], address: Hex): Uint8Array | undefined => {
  const seals = blocks
    .filter((block) => mayValidate(block, address))
    .flatMap(({ digest, seals }) => seals.map((seal) => [digest, seal] as const));
  for (const [digest, seal] of seals.slice(0, RECOVERIES_MAX)) {
    const key = recoverPublicKey(digest, seal);
    if (key !== undefined && toKeyAddress(key) === address) return key;
  }
  return undefined;
};

// The tree of RFC 9162, section 2.1.1, by its definition. It shares no code with ledger/.
import { concat, sha256 } from 'ethers';
import type { Hex } from '../../../ledger/encoding/hex.ts';

/** Root of the tree of these leaf hashes. */
export const toRoot = (leafHashes: readonly Hex[]): Hex => {
  if (leafHashes.length === 0) return sha256('0x') as Hex;
  if (leafHashes.length === 1) return leafHashes[0]!;
  let half = 1;
  while (2 * half < leafHashes.length) half *= 2;
  const [left, right] = [leafHashes.slice(0, half), leafHashes.slice(half)].map(toRoot);
  return sha256(concat(['0x01', left!, right!])) as Hex;
};

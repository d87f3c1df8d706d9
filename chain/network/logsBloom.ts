// The bloom filter of a block header (yellow paper, section 4.4.3): the block has no log of an address or topic that is
// not in it.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';

const BITS = 2048;
const PAIRS = [0, 2, 4] as const;

/** A test of filters of 256 bytes: whether their blocks may have a log with this address or topic. False is certain. */
export const createBloomTest = (item: Hex): ((filter: Uint8Array) => boolean) => {
  const hash = keccak256(fromHex(item));
  const bits = PAIRS.map((at) => ((hash[at]! << 8) | hash[at + 1]!) % BITS);
  return (filter) => bits.every((bit) => ((filter[filter.length - 1 - (bit >> 3)]! >> (bit & 7)) & 1) === 1);
};

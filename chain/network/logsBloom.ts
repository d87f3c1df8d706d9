// The bloom filter of a block header (yellow paper, section 4.4.3): the block has no log of an address or topic that is
// not in it.
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';

const BITS = 2048;
const PAIRS = [0, 2, 4] as const;

/** Whether the block of this filter may have a log of this address, or with this topic. False is certain. */
export const isInBloom = (logsBloom: Hex, item: Hex): boolean => {
  const filter = fromHex(logsBloom);
  const hash = keccak256(fromHex(item));
  return PAIRS.every((at) => {
    const bit = ((hash[at]! << 8) | hash[at + 1]!) % BITS;
    return ((filter[filter.length - 1 - (bit >> 3)]! >> (bit & 7)) & 1) === 1;
  });
};

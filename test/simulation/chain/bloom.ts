// The bloom filter of logs (yellow paper, section 4.4.3), as block headers and receipts contain it.
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { createBoundedCache } from './boundedCache.ts';
import type { EmittedLog } from './ledgerCall.ts';

const FILTER_BYTES = 256;
const ITEMS_CACHED = 2_048;
const PAIRS = [0, 2, 4] as const;

const bitsOf = createBoundedCache<readonly number[]>(ITEMS_CACHED);

const computeBits = (item: Hex): number[] => {
  const hash = keccak256(fromHex(item));
  return PAIRS.map((at) => ((hash[at]! << 8) | hash[at + 1]!) % (FILTER_BYTES * 8));
};

const addItem = (filter: Uint8Array, item: Hex): void => {
  for (const bit of bitsOf.get(item, () => computeBits(item))) filter[FILTER_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
};

/** The filter of logs that has none. */
export const EMPTY_BLOOM: Hex = toHex(new Uint8Array(FILTER_BYTES));

/** The filter that has the addresses and topics of these logs. */
export const toBloom = (logs: readonly EmittedLog[]): Hex => {
  if (logs.length === 0) return EMPTY_BLOOM;
  const filter = new Uint8Array(FILTER_BYTES);
  for (const { address, topics } of logs) {
    addItem(filter, address);
    for (const topic of topics) addItem(filter, topic);
  }
  return toHex(filter);
};

// The assets of events that are known by their numbers.
import { toChunk, toLow } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readAssetsOfChunk } from '../selection/fullChunks.ts';

/** The asset numbers of events with these numbers, in the same order. */
export const readEventAssetNumbers = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  numbers: readonly number[],
): Promise<number[]> => {
  const assets: Uint32Array[] = [];
  for (const chunk of new Set(numbers.map(toChunk)))
    assets[chunk] = await readAssetsOfChunk(snapshot, tenantKey, chunk);
  return numbers.map((number) => assets[toChunk(number)]![toLow(number)]!);
};

// The assets of events that are known by their numbers.
import { toChunk, toLow } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { toNumberSet } from '../overlay.ts';
import { readEventAssets } from '../selection/eventColumns.ts';

/** The asset numbers of events with these numbers, in the same order. */
export const readEventAssetNumbers = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  numbers: readonly number[],
): Promise<number[]> => {
  const chunks = toNumberSet(numbers);
  const assets = new Map<number, Uint32Array>();
  for (const [chunk, bits] of chunks) assets.set(chunk, await readEventAssets(snapshot, tenantKey, { chunk, bits }));
  return numbers.map((number) => assets.get(toChunk(number))![toLow(number)]!);
};

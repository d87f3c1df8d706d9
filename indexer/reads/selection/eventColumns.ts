// Filters the events of a chunk by their times and assets: by the chunk's zone if that decides, otherwise by columns.
import * as keys from '../../keys.ts';
import type { TimeFilter } from '../../ledgerView.ts';
import { type Bits, CHUNK_NUMBERS, filterBits, lowsOf, toNumber } from '../../rows/bits.ts';
import { decodeZone, type Zone } from '../../rows/columns.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readAssetsOfChunk } from './fullChunks.ts';
import { readColumn, type Selected } from './readColumn.ts';

/** A set of numbers, by chunk. */
export type NumberSet = ReadonlyMap<number, Bits>;

/** Conditions on the columns of events. */
export interface EventConditions {
  readonly times: readonly TimeFilter[];
  /** The assets whose events are selected; undefined for all assets. */
  readonly ofAssets: AssetFlags | undefined;
}

/** Whether a time matches a filter. */
export const isWithin = (atMs: number, { sinceMs, beforeMs }: TimeFilter): boolean =>
  (sinceMs === undefined || atMs > sinceMs) && (beforeMs === undefined || atMs < beforeMs);

const excludes = (zone: Zone, filter: TimeFilter): boolean => {
  const [earliestMs, latestMs] = zone[filter.time];
  return (
    (filter.sinceMs !== undefined && latestMs <= filter.sinceMs) ||
    (filter.beforeMs !== undefined && earliestMs >= filter.beforeMs)
  );
};

const includes = (zone: Zone, filter: TimeFilter): boolean => zone[filter.time].every((atMs) => isWithin(atMs, filter));

/** One byte per asset, by its number: 1 if the asset is in the set. */
export type AssetFlags = Uint8Array;

/** The flags of the assets of a set. */
export const toAssetFlags = (assets: NumberSet): AssetFlags => {
  const flags = new Uint8Array((Math.max(0, ...assets.keys()) + 1) * CHUNK_NUMBERS);
  for (const [chunk, bits] of assets) for (const low of lowsOf(bits)) flags[toNumber(chunk, low)] = 1;
  return flags;
};

/** For each chunk that can have events of the requested times, the filters that its zone does not decide. */
export type TimeChecks = ReadonlyMap<number, readonly TimeFilter[]>;

/** Reads the zones of a range of chunks; undefined if there are no filters on times. */
export const readTimeChecks = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  times: readonly TimeFilter[],
  { first, last }: { readonly first: number; readonly last: number },
): Promise<TimeChecks | undefined> => {
  if (times.length === 0) return undefined;
  const entries =
    last < first ? [] : await snapshot.readFirst(keys.zoneRange(tenantKey, first, last), last - first + 1);
  const zones = entries.map(([key, row]) => ({ chunk: keys.chunkOf(key), zone: decodeZone(row as Uint8Array) }));
  const possible = zones.filter(({ zone }) => !times.some((filter) => excludes(zone, filter)));
  return new Map(possible.map(({ chunk, zone }) => [chunk, times.filter((filter) => !includes(zone, filter))]));
};

/** Removes from `bits` the events of the chunk that do not meet the conditions. */
export const filterByColumns = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  selected: Selected,
  { times, ofAssets }: EventConditions,
): Promise<void> => {
  for (const filter of times) {
    const values = await readColumn(snapshot, tenantKey, selected, filter.time);
    filterBits(selected.bits, (low) => isWithin(values[low]!, filter));
  }
  if (ofAssets === undefined) return;
  const assets = await readAssetsOfChunk(snapshot, tenantKey, selected.chunk);
  filterBits(selected.bits, (low) => ofAssets[assets[low]!] === 1);
};

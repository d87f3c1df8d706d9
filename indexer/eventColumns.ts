// Keeps, of a chunk of events, those whose times and assets meet conditions: by the chunk's zone where that decides, else by columns.
import { type Bits, CHUNK_NUMBERS, clearBit, hasBit, lowsOf, toChunk, toLow, toNumber } from './bits.ts';
import { type ColumnsPage, decodeZone, openColumns, PAGE_EVENTS, toColumnsPage, type Zone } from './columns.ts';
import * as keys from './keys.ts';
import type { TimeFilter } from './ledgerView.ts';
import type { Snapshot } from './store.ts';

/** Numbers of a set, by chunk. */
export type NumberSet = ReadonlyMap<number, Bits>;

export interface EventConditions {
  readonly times: readonly TimeFilter[];
  /** Numbers of the assets whose events are asked for; undefined for all. */
  readonly ofAssets: NumberSet | undefined;
}

const PAGES_OF_CHUNK = CHUNK_NUMBERS / PAGE_EVENTS;

/** Whether a time meets a filter. */
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

/** The pages of columns of the events of a chunk that are in `bits`, by their number. */
export const readColumns = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  { chunk, bits }: { chunk: number; bits: Bits },
): Promise<ReadonlyMap<number, ColumnsPage>> => {
  const pages = new Set(lowsOf(bits).map((low) => chunk * PAGES_OF_CHUNK + Math.floor(low / PAGE_EVENTS)));
  const rows = await snapshot.readMany([...pages].map((page) => keys.columnsKey(tenantKey, page)));
  return new Map([...pages].map((page, at) => [page, openColumns(rows[at] as Uint8Array)]));
};

/** Takes out of `bits` the events of the chunk that don't meet the conditions. */
export const keepMatching = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  selected: { readonly chunk: number; readonly bits: Bits },
  { times, ofAssets }: EventConditions,
): Promise<void> => {
  const { chunk, bits } = selected;
  const zone = decodeZone(snapshot.read(keys.zoneKey(tenantKey, chunk)) as Uint8Array);
  if (times.some((filter) => excludes(zone, filter))) bits.fill(0);
  const undecided = times.filter((filter) => !includes(zone, filter));
  if (undecided.length === 0 && ofAssets === undefined) return;
  const isOfAssets = (number: number): boolean => {
    const assets = ofAssets?.get(toChunk(number));
    return ofAssets === undefined || (assets !== undefined && hasBit(assets, toLow(number)));
  };
  const pages = await readColumns(snapshot, tenantKey, selected);
  for (const low of lowsOf(bits)) {
    const number = toNumber(chunk, low);
    const page = pages.get(toColumnsPage(number))!;
    const isIn =
      undecided.every((filter) => isWithin(page.timeOf(number, filter.time), filter)) &&
      isOfAssets(page.assetOf(number));
    if (!isIn) clearBit(bits, low);
  }
};

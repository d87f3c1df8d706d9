// The count of another tenant's events that a reader sees. How many events of each display type each asset has in full
// chunks never changes, so it is counted once; which assets are visible does change, so these are added up each time.
import { setImmediate } from 'node:timers/promises';
import * as keys from '../../keys.ts';
import { type Bits, CHUNK_NUMBERS, filterBits, intersect, subtract, toChunk, toNumber } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import type { CountedSelection } from '../selection/countedSelection.ts';
import { countFullChunks, readAssetsOfChunk } from '../selection/fullChunks.ts';
import { readCount, type SelectedChunk, type Selection, select } from '../selection/selection.ts';
import { createReadTypes, type TypesOfChunk } from './eventTypes.ts';
import { isMetByTerms } from './restrictedTerms.ts';
import type { VisibleAssets } from './visibleAssets.ts';
import type { VisibleChunk } from './visibleChunk.ts';
import type { AssetChunk, ReadAssetChunk, VisibleEventQuery } from './visibleEvents.ts';

// The selected events of the first `chunks` chunks, of each asset by its number: all, and those of each type.
interface EventCounts {
  readonly chunks: number;
  readonly all: Uint32Array;
  readonly ofType: readonly Uint32Array[];
}

/** Bytes of counts: those of 100 selections at 10,000 assets and 12 types. */
const KEPT_BYTES_MAX = 64 * 2 ** 20;

/** Counts that are known, or that a read counts now: others that need them wait for it. */
interface KeptCounts {
  readonly chunks: number;
  readonly counts: Promise<EventCounts>;
}

/** Chunks of events that are counted at once: some milliseconds, after which other requests have their turn. */
const COUNTED_AT_ONCE = 16;
/** Chunks of assets that are read at once. */
const CHUNKS_AT_ONCE = 8;

const keptOf = createGenerationCache<KeptCounts>(KEPT_BYTES_MAX);

const lengthen = (counts: Uint32Array, length: number): Uint32Array => {
  const longer = new Uint32Array(length);
  longer.set(counts.subarray(0, length));
  return longer;
};

const addChunk = ({ all, ofType }: EventCounts, bits: Bits, assets: Uint32Array, types: TypesOfChunk): void =>
  filterBits(bits, (low) => {
    const asset = assets[low]!;
    all[asset]! += 1;
    if (types[low] !== 0) ofType[types[low]! - 1]![asset]! += 1;
    return true;
  });

const bytesOf = (snapshot: Snapshot, { tenantKey, set: { types } }: VisibleAssets): number =>
  4 * readCount(snapshot, { tenantKey, collection: 'assets' }) * (types.length + 1);

// Counts the chunks after those that are known.
const countFurther = async (
  snapshot: Snapshot,
  { tenantKey, set: { types } }: VisibleAssets,
  selection: Selection,
  { before, fullChunks }: { before: Promise<EventCounts> | undefined; fullChunks: number },
): Promise<EventCounts> => {
  const known = await before;
  const assetCount = readCount(snapshot, { tenantKey, collection: 'assets' });
  const none = new Uint32Array(0);
  const counts: EventCounts = {
    chunks: fullChunks,
    all: lengthen(known?.all ?? none, assetCount),
    ofType: types.map((_, at) => lengthen(known?.ofType[at] ?? none, assetCount)),
  };
  const readTypes = createReadTypes(snapshot, tenantKey, types);
  const range = { from: (known?.chunks ?? 0) * CHUNK_NUMBERS, to: fullChunks * CHUNK_NUMBERS, isNewestFirst: false };
  let counted = 0;
  for await (const selected of select(snapshot, selection, range)) {
    const assets = await readAssetsOfChunk(snapshot, tenantKey, selected.chunk);
    addChunk(counts, selected.bits, assets, await readTypes(selected.chunk));
    counted += 1;
    if (counted % COUNTED_AT_ONCE === 0) await setImmediate();
  }
  return counts;
};

const readCounts = (snapshot: Snapshot, visible: VisibleAssets, selection: Selection): Promise<EventCounts> => {
  const {
    tenantKey,
    set: { types },
  } = visible;
  const kept = keptOf(snapshot);
  const name = JSON.stringify([keys.toKeyName(tenantKey), selection.conditions, selection.columns?.times, types]);
  const fullChunks = countFullChunks(snapshot, tenantKey);
  const found = kept.get(name);
  if (found?.chunks === fullChunks) return found.counts;
  const isNewest = found === undefined || found.chunks < fullChunks;
  const before = isNewest ? found?.counts : undefined;
  const counts = countFurther(snapshot, visible, selection, { before, fullChunks });
  if (isNewest) {
    kept.set(name, { chunks: fullChunks, counts }, name.length + bytesOf(snapshot, visible));
    counts.catch(() => kept.delete(name));
  }
  return counts;
};

// The sum of the counts of the assets of a chunk that are in both sets.
const sumOf = (one: Bits, other: Bits, chunk: number, counts: Uint32Array): number => {
  let sum = 0;
  for (let word = 0; word < one.length; word += 1) {
    for (let rest = one[word]! & other[word]!; rest !== 0; rest &= rest - 1) {
      sum += counts[toNumber(chunk, word * 32 + 31 - Math.clz32(rest & -rest))] ?? 0;
    }
  }
  return sum;
};

const countOfChunk = ({ meeting, visible, readable }: AssetChunk, chunk: number, counts: EventCounts): number => {
  const ofSomeTypes = meeting.slice();
  for (const [bits] of readable) intersect(ofSomeTypes, bits!);
  let sum = sumOf(ofSomeTypes, visible.everyType, chunk, counts.all);
  subtract(ofSomeTypes, visible.everyType);
  for (const [at, ofType] of visible.ofType.entries()) sum += sumOf(ofSomeTypes, ofType, chunk, counts.ofType[at]!);
  return sum;
};

// Sums of chunks of assets, as long as their visibility and the counts stay the same.
const sums = new WeakMap<VisibleChunk, WeakMap<EventCounts, number>>();

const readSum = (assets: AssetChunk, chunk: number, counts: EventCounts): number => {
  const known = sums.get(assets.visible) ?? new WeakMap<EventCounts, number>();
  sums.set(assets.visible, known);
  const sum = known.get(counts) ?? countOfChunk(assets, chunk, counts);
  known.set(counts, sum);
  return sum;
};

/** Events to count. */
interface CountedEvents {
  /** Those that meet the conditions that don't depend on the reader. */
  readonly selection: Selection;
  readonly restricted: VisibleEventQuery;
  readonly readAssets: ReadAssetChunk;
}

/** What is known of the events that a reader sees and that meet a query; undefined if all of them must be counted. */
export const openSharedCount = async (
  snapshot: Snapshot,
  visible: VisibleAssets,
  { selection, restricted: query, readAssets }: CountedEvents,
): Promise<CountedSelection | undefined> => {
  // Other filters are met by what else an event has than the terms of the selection.
  if (!query.ofEvents.every(isMetByTerms) || bytesOf(snapshot, visible) > KEPT_BYTES_MAX / 2) return undefined;
  const counts = await readCounts(snapshot, visible, selection);
  const isOfAll = query.ofAssets.length + query.ofEvents.length === 0;
  const sum = isOfAll ? readSum : countOfChunk;
  let count = 0;
  const chunks = Array.from({ length: toChunk(counts.all.length) + 1 }, (_, chunk) => chunk);
  for (let at = 0; at < chunks.length; at += CHUNKS_AT_ONCE) {
    const group = chunks.slice(at, at + CHUNKS_AT_ONCE);
    const read = await Promise.all(group.map(readAssets));
    for (const [place, assets] of read.entries()) count += sum(assets, group[place]!, counts);
  }
  return { known: { chunks: counts.chunks, count, newest: [] }, keep: (_: readonly SelectedChunk[]) => undefined };
};

// The count of a selection of events, and its newest members. Full chunks are counted once: later reads count only the
// chunks after them.
import { toKeyName } from '../../keys.ts';
import { CHUNK_NUMBERS, countBits, newestLows, toNumber } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import type { AssetFlags } from './eventColumns.ts';
import { countFullChunks, findMembers, type KnownMembers, keepMembers, readEventsOfAssets } from './fullChunks.ts';
import type { SelectedChunk, Selection } from './selection.ts';

/** What is known of a selection. */
export interface CountedSelection {
  readonly known: KnownMembers;
  /** Keeps what was selected of all chunks after the known ones, newest first. */
  keep(selected: readonly SelectedChunk[]): void;
}

/** A page of this length needs no chunk that is known. */
const NEWEST_MAX = 101;
/** Weight of a selection besides its name and the numbers of its newest members. */
const BASE_WEIGHT = 100;
const NUMBER_WEIGHT = 8;

/** Nothing is known. */
export const NOTHING_KNOWN: KnownMembers = { chunks: 0, count: 0, newest: [] };

const newestOf = ({ chunk, bits }: SelectedChunk, countMax = CHUNK_NUMBERS): number[] =>
  newestLows(bits, countMax).map((low) => toNumber(chunk, low));

/** The numbers of all selected members that are at least `from`, in the order of the chunks. */
export const numbersFrom = async (selected: AsyncIterable<SelectedChunk>, from: number): Promise<number[]> => {
  const numbers: number[] = [];
  for await (const each of selected) numbers.push(...newestOf(each).filter((number) => number >= from));
  return numbers;
};

const takeNewest = (selected: readonly SelectedChunk[], older: readonly number[]): number[] => {
  const numbers: number[] = [];
  for (const each of selected) {
    if (numbers.length >= NEWEST_MAX) break;
    numbers.push(...newestOf(each, NEWEST_MAX - numbers.length));
  }
  return [...numbers, ...older].slice(0, NEWEST_MAX);
};

const sumOf = (counts: Uint32Array, assets: AssetFlags): number => {
  const end = Math.min(counts.length, assets.length);
  let sum = 0;
  for (let asset = 0; asset < end; asset += 1) if (assets[asset] === 1) sum += counts[asset]!;
  return sum;
};

// The assets that meet conditions change, so the count is that of these assets' events.
const openAssetsCount = async (
  snapshot: Snapshot,
  { tenantKey, conditions, columns }: Selection,
  ofAssets: AssetFlags,
): Promise<CountedSelection | undefined> => {
  const { all, any = [], none } = conditions;
  const isUnconditional = all.length + any.length + none.length + columns!.times.length === 0;
  if (!isUnconditional) return undefined;
  const chunks = countFullChunks(snapshot, tenantKey);
  const counts = await readEventsOfAssets(snapshot, tenantKey, chunks);
  return counts && { known: { chunks, count: sumOf(counts, ofAssets), newest: [] }, keep: () => undefined };
};

/** Opens what is known of a selection of events; undefined if all of it must be counted. */
export const openCount = async (snapshot: Snapshot, selection: Selection): Promise<CountedSelection | undefined> => {
  const { tenantKey, conditions, anyOf, columns } = selection;
  if (columns?.ofAssets !== undefined) return openAssetsCount(snapshot, selection, columns.ofAssets);
  const name = JSON.stringify([toKeyName(tenantKey), conditions, anyOf, columns?.times]);
  const fullChunks = countFullChunks(snapshot, tenantKey);
  const known = findMembers(snapshot, name, fullChunks) ?? NOTHING_KNOWN;
  const keep = (selected: readonly SelectedChunk[]): void => {
    if (fullChunks === known.chunks) return;
    const full = selected.filter(({ chunk }) => chunk < fullChunks);
    const count = full.reduce((sum, { bits }) => sum + countBits(bits), known.count);
    const newest = takeNewest(full, known.newest);
    const weight = BASE_WEIGHT + name.length + NUMBER_WEIGHT * newest.length;
    keepMembers(snapshot, name, { chunks: fullChunks, count, newest }, weight);
  };
  return { known, keep };
};

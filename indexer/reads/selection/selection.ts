// Selects the members of a collection that meet conditions, chunk by chunk: posting lists are intersected as bitmaps,
// and no record is read. The work grows with the shortest list, not with the ledger.
import * as keys from '../../keys.ts';
import { allBelow, type Bits, CHUNK_NUMBERS, hasAny, intersect, keepRange, toChunk, unite } from '../../rows/bits.ts';
import { decodePosting, intersectPosting, subtractPosting } from '../../rows/postings.ts';
import type { Snapshot } from '../../snapshots.ts';
import type { Conditions } from './conditions.ts';
import { type EventConditions, filterByColumns, readTimeChecks, type TimeChecks } from './eventColumns.ts';
import { type ChunkRange, type LoadedList, loadShortest } from './shortestList.ts';

/** Which members to select. */
export interface Selection {
  readonly tenantKey: Uint8Array;
  readonly collection: keys.Collection;
  readonly conditions: Conditions;
  /** If given, terms of which a member must have at least one. */
  readonly anyOf?: readonly string[];
  /** Conditions on columns; for events only. */
  readonly columns?: EventConditions;
}

/** The members of a selection of events that were accepted at `untilMs` or before it. */
export const acceptedUntil = (selection: Selection, untilMs: number): Selection => {
  const { times = [], ofAssets } = selection.columns ?? {};
  const isUntil = { time: 'timestamp_accepted', sinceMs: undefined, beforeMs: untilMs + 1 } as const;
  return { ...selection, columns: { times: [...times, isUntil], ofAssets } };
};

/** Numbers of at least `from` and less than `to`, in ascending or descending chunks. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly isNewestFirst: boolean;
}

/** The selected members of one chunk. */
export interface SelectedChunk {
  readonly chunk: number;
  readonly bits: Bits;
}

/** Chunks of one read of the longer lists. */
const BLOCK_CHUNKS = 64;

/** How many members a collection has. */
export const readCount = (
  snapshot: Snapshot,
  { tenantKey, collection }: Pick<Selection, 'tenantKey' | 'collection'>,
): number => (snapshot.read(keys.counterKey(tenantKey, collection)) as number | undefined) ?? 0;

const toChunkRange = ({ from, to, isNewestFirst }: NumberRange): ChunkRange => ({
  first: toChunk(from),
  last: to <= from ? -1 : toChunk(to - 1),
  isNewestFirst,
});

const allChunks = ({ first, last, isNewestFirst }: ChunkRange): number[] => {
  const chunks = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  return isNewestFirst ? chunks.reverse() : chunks;
};

const inOrder = (chunks: Iterable<number>, { isNewestFirst }: ChunkRange): number[] =>
  [...chunks].sort((a, b) => (isNewestFirst ? b - a : a - b));

/** The members that are in any of the lists, by chunk. */
const loadUnion = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  terms: readonly string[],
  range: ChunkRange,
): Promise<ReadonlyMap<number, Bits>> => {
  const union = new Map<number, Bits>();
  const lists = await Promise.all(terms.map((term) => loadShortest(snapshot, tenantKey, [term], range)));
  for (const [list] of lists) {
    for (const [chunk, row] of list!.rows) {
      const bits = decodePosting(row);
      const others = union.get(chunk);
      if (others === undefined) union.set(chunk, bits);
      else unite(others, bits);
    }
  }
  return union;
};

interface Lists {
  /** In the order of the range. */
  readonly chunks: readonly number[];
  readonly loaded: ReadonlyMap<string, LoadedList>;
  /** The members of each list of alternatives. */
  readonly unions: readonly ReadonlyMap<number, Bits>[];
  readonly times: TimeChecks | undefined;
}

/** So few candidate chunks are read without searching for a list with fewer. */
const CANDIDATES_MIN = BLOCK_CHUNKS;

const shortestOf = (candidates: readonly (readonly number[])[]): readonly number[] | undefined =>
  candidates.toSorted((a, b) => a.length - b.length)[0];

// Loads the lists and chooses the chunks to read: those of the condition that leaves the fewest.
const loadLists = async (snapshot: Snapshot, selection: Selection, range: ChunkRange): Promise<Lists> => {
  const { tenantKey, conditions, anyOf, columns } = selection;
  const times = await readTimeChecks(snapshot, tenantKey, columns?.times ?? [], range);
  const alternatives = [...(conditions.any ?? []), ...(anyOf === undefined ? [] : [anyOf])];
  const unions = await Promise.all(alternatives.map((terms) => loadUnion(snapshot, tenantKey, terms, range)));
  const given = [times?.keys(), ...unions.map((union) => union.keys())].flatMap((chunks) =>
    chunks === undefined ? [] : [inOrder(chunks, range)],
  );
  const short = shortestOf(given);
  if (short !== undefined && short.length <= CANDIDATES_MIN) return { chunks: short, loaded: new Map(), unions, times };
  const lists = await loadShortest(snapshot, tenantKey, conditions.all, range);
  const complete = lists.filter(({ isComplete }) => isComplete).map(({ rows }) => inOrder(rows.keys(), range));
  const loaded = new Map(lists.map((list, at) => [conditions.all[at]!, list]));
  return { chunks: shortestOf([...given, ...complete]) ?? allChunks(range), loaded, unions, times };
};

// The rows of all lists for a block of chunks: those loaded before, and the others in one read.
const readBlock = async (
  snapshot: Snapshot,
  { tenantKey, conditions }: Selection,
  { loaded }: Lists,
  chunks: readonly number[],
): Promise<(term: string, chunk: number) => Uint8Array | undefined> => {
  const missing = [...conditions.all, ...conditions.none].flatMap((term) => {
    const list = loaded.get(term);
    if (list?.isComplete === true) return [];
    return chunks.filter((chunk) => list?.rows.has(chunk) !== true).map((chunk) => ({ term, chunk }));
  });
  const rows = await snapshot.readMany(missing.map(({ term, chunk }) => keys.postingKey(tenantKey, term, chunk)));
  const read = new Map(missing.map(({ term, chunk }, at) => [`${chunk} ${term}`, rows[at] as Uint8Array | undefined]));
  return (term, chunk) => loaded.get(term)?.rows.get(chunk) ?? read.get(`${chunk} ${term}`);
};

const toSelected = (
  { conditions }: Selection,
  { unions }: Lists,
  numbers: NumberRange,
  { chunk, rowOf }: { chunk: number; rowOf: (term: string) => Uint8Array | undefined },
): SelectedChunk => {
  const bits = allBelow(chunk, numbers.to);
  keepRange(bits, chunk, numbers.from, numbers.to);
  for (const term of conditions.all) intersectPosting(bits, rowOf(term));
  for (const term of conditions.none) subtractPosting(bits, rowOf(term));
  for (const union of unions) intersect(bits, union.get(chunk));
  return { chunk, bits };
};

// Removes the members that do not meet the conditions on columns; all of them if the chunk's zone excludes it.
const applyColumns = async (
  snapshot: Snapshot,
  { tenantKey, columns }: Selection,
  { times }: Lists,
  selected: SelectedChunk,
): Promise<void> => {
  const undecided = times === undefined ? [] : times.get(selected.chunk);
  if (undecided === undefined) selected.bits.fill(0);
  else if (hasAny(selected.bits)) {
    await filterByColumns(snapshot, tenantKey, selected, { times: undecided, ofAssets: columns?.ofAssets });
  }
};

/**
 * Selects the members of a collection that meet the conditions, in the order of chunks; chunks without any are omitted.
 */
export async function* select(
  snapshot: Snapshot,
  selection: Selection,
  numbers: NumberRange,
): AsyncGenerator<SelectedChunk> {
  const range = { ...numbers, to: Math.min(numbers.to, readCount(snapshot, selection)) };
  const lists = await loadLists(snapshot, selection, toChunkRange(range));
  for (let at = 0; at < lists.chunks.length; at += BLOCK_CHUNKS) {
    const block = lists.chunks.slice(at, at + BLOCK_CHUNKS);
    const rowOf = await readBlock(snapshot, selection, lists, block);
    const selected = block.map((chunk) =>
      toSelected(selection, lists, range, { chunk, rowOf: (term) => rowOf(term, chunk) }),
    );
    await Promise.all(selected.map((each) => applyColumns(snapshot, selection, lists, each)));
    for (const each of selected) if (hasAny(each.bits)) yield each;
  }
}

/** The chunks that a page is searched in first. */
const FIRST_CHUNKS = 4;

/** Like `select`, newest first, for a page: reads the newest chunks before it loads the lists of the others. */
export async function* selectNewest(
  snapshot: Snapshot,
  selection: Selection,
  { from, to }: Omit<NumberRange, 'isNewestFirst'>,
): AsyncGenerator<SelectedChunk> {
  const end = Math.min(to, readCount(snapshot, selection));
  const middle = Math.max(from, (toChunk(end) + 1 - FIRST_CHUNKS) * CHUNK_NUMBERS);
  yield* select(snapshot, selection, { from: middle, to: end, isNewestFirst: true });
  if (from < middle) yield* select(snapshot, selection, { from, to: middle, isNewestFirst: true });
}

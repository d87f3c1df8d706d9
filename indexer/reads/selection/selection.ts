// Which members of a collection meet conditions, chunk by chunk: lists are intersected as bits, and no record is read. The work grows with
// the shortest of the lists, not with the ledger.

import * as keys from '../../keys.ts';
import { allBelow, type Bits, hasAny, intersect, keepRange, toChunk, unite } from '../../rows/bits.ts';
import { decodePosting, intersectPosting, subtractPosting } from '../../rows/postings.ts';
import type { Snapshot } from '../../store.ts';
import type { Conditions } from './conditions.ts';
import { type EventConditions, keepMatching, readTimeChecks, type TimeChecks } from './eventColumns.ts';
import { type ChunkRange, type LoadedList, loadShortest } from './shortestList.ts';

export interface Selection {
  readonly tenantKey: Uint8Array;
  readonly collection: keys.Collection;
  readonly conditions: Conditions;
  /** Terms of which a member must have one, where given. */
  readonly anyOf?: readonly string[];
  /** Conditions on columns, for events. */
  readonly columns?: EventConditions;
}

/** Numbers from `from` on and below `to`. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly isNewestFirst: boolean;
}

/** The members of one chunk that were selected. */
export interface SelectedChunk {
  readonly chunk: number;
  readonly bits: Bits;
}

/** Chunks whose other lists are read together. */
const BLOCK_CHUNKS = 64;

const readCount = (snapshot: Snapshot, { tenantKey, collection }: Selection): number =>
  (snapshot.read(keys.counterKey(tenantKey, collection)) as number | undefined) ?? 0;

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

/** The members that are in one of the lists. */
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
  readonly union: ReadonlyMap<number, Bits> | undefined;
  readonly times: TimeChecks | undefined;
}

/** Ways of so few chunks are walked without looking for a shorter one. */
const SHORT_WAY = BLOCK_CHUNKS;

const shortestOf = (ways: readonly (readonly number[])[]): readonly number[] | undefined =>
  ways.toSorted((a, b) => a.length - b.length)[0];

// The chunks to look at: those of the shortest way into the ledger that any of the conditions gives.
const loadLists = async (snapshot: Snapshot, selection: Selection, range: ChunkRange): Promise<Lists> => {
  const { tenantKey, conditions, anyOf, columns } = selection;
  const times = await readTimeChecks(snapshot, tenantKey, columns?.times ?? [], range);
  const union = anyOf === undefined ? undefined : await loadUnion(snapshot, tenantKey, anyOf, range);
  const given = [times?.keys(), union?.keys()].flatMap((way) => (way === undefined ? [] : [inOrder(way, range)]));
  const short = shortestOf(given);
  if (short !== undefined && short.length <= SHORT_WAY) return { chunks: short, loaded: new Map(), union, times };
  const lists = await loadShortest(snapshot, tenantKey, conditions.all, range);
  const whole = lists.filter(({ isComplete }) => isComplete).map(({ rows }) => inOrder(rows.keys(), range));
  const loaded = new Map(lists.map((list, at) => [conditions.all[at]!, list]));
  return { chunks: shortestOf([...given, ...whole]) ?? allChunks(range), loaded, union, times };
};

// Rows of lists for a block of chunks: those loaded before, the others read together.
const readBlock = async (
  snapshot: Snapshot,
  { tenantKey, conditions }: Selection,
  { loaded }: Lists,
  chunks: readonly number[],
): Promise<(term: string, chunk: number) => Uint8Array | undefined> => {
  const wanted = [...conditions.all, ...conditions.none].flatMap((term) => {
    const list = loaded.get(term);
    if (list?.isComplete === true) return [];
    return chunks.filter((chunk) => list?.rows.has(chunk) !== true).map((chunk) => ({ term, chunk }));
  });
  const rows = await snapshot.readMany(wanted.map(({ term, chunk }) => keys.postingKey(tenantKey, term, chunk)));
  const read = new Map(wanted.map(({ term, chunk }, at) => [`${chunk} ${term}`, rows[at] as Uint8Array | undefined]));
  return (term, chunk) => loaded.get(term)?.rows.get(chunk) ?? read.get(`${chunk} ${term}`);
};

const toSelected = (
  { conditions }: Selection,
  { union }: Lists,
  numbers: NumberRange,
  { chunk, rowOf }: { chunk: number; rowOf: (term: string) => Uint8Array | undefined },
): SelectedChunk => {
  const bits = allBelow(chunk, numbers.to);
  keepRange(bits, chunk, numbers.from, numbers.to);
  for (const term of conditions.all) intersectPosting(bits, rowOf(term));
  for (const term of conditions.none) subtractPosting(bits, rowOf(term));
  if (union !== undefined) intersect(bits, union.get(chunk));
  return { chunk, bits };
};

// Keeps what meets the conditions on columns; of a chunk whose zone says that nothing does, nothing.
const keepTimely = async (
  snapshot: Snapshot,
  { tenantKey, columns }: Selection,
  { times }: Lists,
  selected: SelectedChunk,
): Promise<void> => {
  const undecided = times === undefined ? [] : times.get(selected.chunk);
  if (undecided === undefined) selected.bits.fill(0);
  else if (hasAny(selected.bits)) {
    await keepMatching(snapshot, tenantKey, selected, { times: undecided, ofAssets: columns?.ofAssets });
  }
};

/** The members of a collection that meet the conditions, in order of chunks; chunks without any are left out. */
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
    await Promise.all(selected.map((each) => keepTimely(snapshot, selection, lists, each)));
    for (const each of selected) if (hasAny(each.bits)) yield each;
  }
}

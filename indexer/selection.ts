// Which members of a collection meet conditions, chunk by chunk: lists are intersected as bits, and no record is read. The work grows with
// the shortest of the lists, not with the ledger.
import { allBelow, type Bits, hasAny, keepOnly, keepRange, putIn, takeOut, toChunk } from './bits.ts';
import type { Conditions } from './conditions.ts';
import { type EventConditions, keepMatching } from './eventColumns.ts';
import * as keys from './keys.ts';
import { decodePosting } from './postings.ts';
import { type ChunkRange, type LoadedList, loadShortest } from './shortestList.ts';
import type { Snapshot } from './store.ts';

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
      else putIn(others, bits);
    }
  }
  return union;
};

interface Lists {
  readonly chunks: readonly number[];
  readonly loaded: ReadonlyMap<string, LoadedList>;
  readonly union: ReadonlyMap<number, Bits> | undefined;
}

const loadLists = async (snapshot: Snapshot, selection: Selection, range: ChunkRange): Promise<Lists> => {
  const { tenantKey, conditions, anyOf } = selection;
  const lists = await loadShortest(snapshot, tenantKey, conditions.all, range);
  const union = anyOf === undefined ? undefined : await loadUnion(snapshot, tenantKey, anyOf, range);
  const ways = lists.filter(({ isWhole }) => isWhole).map(({ rows }) => inOrder(rows.keys(), range));
  if (union !== undefined) ways.push(inOrder(union.keys(), range));
  const [first, ...others] = ways;
  const shortest = first && others.reduce((best, way) => (way.length < best.length ? way : best), first);
  return {
    chunks: shortest ?? allChunks(range),
    loaded: new Map(lists.map((list, at) => [conditions.all[at]!, list])),
    union,
  };
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
    if (list?.isWhole === true) return [];
    return chunks.filter((chunk) => list?.rows.has(chunk) !== true).map((chunk) => ({ term, chunk }));
  });
  const rows = await snapshot.readMany(wanted.map(({ term, chunk }) => keys.postingKey(tenantKey, term, chunk)));
  const read = new Map(wanted.map(({ term, chunk }, at) => [`${chunk} ${term}`, rows[at] as Uint8Array | undefined]));
  return (term, chunk) => loaded.get(term)?.rows.get(chunk) ?? read.get(`${chunk} ${term}`);
};

const toBits = (row: Uint8Array | undefined): Bits | undefined => row && decodePosting(row);

/** The members of a collection that meet the conditions, in order of chunks; chunks without any are left out. */
export async function* select(
  snapshot: Snapshot,
  selection: Selection,
  numbers: NumberRange,
): AsyncGenerator<SelectedChunk> {
  const { tenantKey, conditions, columns } = selection;
  const to = Math.min(numbers.to, readCount(snapshot, selection));
  const lists = await loadLists(snapshot, selection, toChunkRange({ ...numbers, to }));
  for (let at = 0; at < lists.chunks.length; at += BLOCK_CHUNKS) {
    const block = lists.chunks.slice(at, at + BLOCK_CHUNKS);
    const rowOf = await readBlock(snapshot, selection, lists, block);
    for (const chunk of block) {
      const bits = allBelow(chunk, to);
      keepRange(bits, chunk, numbers.from, to);
      for (const term of conditions.all) keepOnly(bits, toBits(rowOf(term, chunk)));
      for (const term of conditions.none) takeOut(bits, toBits(rowOf(term, chunk)));
      if (lists.union !== undefined) keepOnly(bits, lists.union.get(chunk));
      const selected = { chunk, bits };
      if (columns !== undefined && hasAny(bits)) {
        await keepMatching(snapshot, tenantKey, selected, columns);
      }
      if (hasAny(bits)) yield selected;
    }
  }
}

// Loads the shortest of several posting lists completely. It contains everything that all of them have in common, so
// the longer ones need not be read to their ends.
import * as keys from '../../keys.ts';
import type { Entry, Snapshot } from '../../snapshots.ts';

/** Rows of one read of a list. */
const ROWS = 64;

/** The chunks `first` to `last`, both included; empty if `last` is less than `first`. */
export interface ChunkRange {
  readonly first: number;
  readonly last: number;
  readonly isNewestFirst: boolean;
}

/**
 * The rows of a list that were read, by chunk, in the order of the range; `isComplete` if these are all rows in the
 * range.
 */
export interface LoadedList {
  readonly rows: ReadonlyMap<number, Uint8Array>;
  readonly isComplete: boolean;
}

interface Loading extends LoadedList {
  readonly rows: Map<number, Uint8Array>;
  isComplete: boolean;
  first: number;
  last: number;
}

const loadMore = async (
  snapshot: Snapshot,
  { tenantKey, term, isNewestFirst }: { tenantKey: Uint8Array; term: string; isNewestFirst: boolean },
  list: Loading,
): Promise<void> => {
  const range = keys.postingRange(tenantKey, term, list.first, list.last);
  const entries: Entry[] = await (isNewestFirst ? snapshot.readLast(range, ROWS) : snapshot.readFirst(range, ROWS));
  for (const [key, row] of entries) list.rows.set(keys.chunkOf(key), row as Uint8Array);
  const end = entries.at(-1);
  if (end === undefined || entries.length < ROWS) list.isComplete = true;
  else if (isNewestFirst) list.last = keys.chunkOf(end[0]) - 1;
  else list.first = keys.chunkOf(end[0]) + 1;
  if (list.last < list.first) list.isComplete = true;
};

/** Reads the lists in parallel until one of them is complete. Returns them in the order of `terms`. */
export const loadShortest = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  terms: readonly string[],
  { first, last, isNewestFirst }: ChunkRange,
): Promise<readonly LoadedList[]> => {
  const lists = terms.map((): Loading => ({ rows: new Map(), isComplete: last < first, first, last }));
  while (lists.length > 0 && !lists.some(({ isComplete }) => isComplete)) {
    await Promise.all(
      lists.map((list, at) => loadMore(snapshot, { tenantKey, term: terms[at]!, isNewestFirst }, list)),
    );
  }
  return lists;
};

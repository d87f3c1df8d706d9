// Pages of a list, newest first: the uncommitted records, then the index, from one snapshot. Positions are keysets, not
// offsets: a record that is accepted or committed between two pages is neither repeated nor skipped.

import type { Page, PageQuery } from '../ledgerView.ts';
import { CHUNK_NUMBERS, countBits } from '../rows/bits.ts';
import { type CountedSelection, NOTHING_KNOWN, newestOf } from './selection/countedSelection.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** An item that is not in the index. */
export interface UncommittedItem<T> {
  /** Its position in the order of acceptance. */
  readonly sequence: number;
  /** Whether it may still enter the index; false once the chain has refused it. */
  readonly isPending: boolean;
  /** The identity by which the item is found in the index once it is committed. */
  readonly identity: string;
  readonly item: T;
}

/** A list to read newest first. */
export interface NewestList<T> {
  /** The uncommitted items that meet the conditions, newest first. */
  readonly uncommitted: readonly UncommittedItem<T>[];
  /**
   * Selects the members below `to`, and at or above `from` if it is given, that meet the conditions, newest first.
   */
  select(to: number, from?: number): AsyncIterable<SelectedChunk>;
  /** What is known of the list's members; undefined if all of the list must be counted. */
  readonly counted?: CountedSelection | undefined;
  /** The number of an item that was uncommitted when it was shown; undefined if the index does not have it. */
  readNumber(identity: string): number | undefined;
  /** Reads members by their numbers, in the same order. */
  readItems(numbers: readonly number[]): Promise<T[]>;
}

// Where the next page begins: below a position in the order of acceptance, and below a number. Until a member of the
// index was shown, `before` is null, and `shown` has the last pending records that were shown: once one of them is
// committed, the next page begins below its number. There are several, because the chain may refuse some of them.
interface NewestPosition {
  readonly sequence: number;
  readonly shown: readonly string[];
  readonly before: number | null;
}

/** So many records may be refused between two pages without a record being shown twice. */
const SHOWN_MAX = 16;

interface PageStart {
  readonly sequence: number;
  readonly before: number;
  readonly shown: readonly string[];
}

const FROM_THE_TOP: PageStart = { sequence: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY, shown: [] };

const toStart = (list: NewestList<unknown>, position: string | undefined): PageStart => {
  if (position === undefined) return FROM_THE_TOP;
  const { sequence, shown, before } = JSON.parse(position) as NewestPosition;
  if (before !== null) return { sequence, before, shown };
  const committed = shown.map((identity) => list.readNumber(identity)).find((number) => number !== undefined);
  return { sequence, before: committed ?? Number.POSITIVE_INFINITY, shown };
};

interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly count: number;
}

const createPicks = (before: number, countMax: number) => {
  const numbers: number[] = [];
  const isFull = (): boolean => numbers.length >= countMax;
  const add = (newest: readonly number[]): void => {
    const below = newest.filter((number) => number < before);
    numbers.push(...below.slice(0, countMax - numbers.length));
  };
  const addChunk = (selected: SelectedChunk): void => {
    if (!isFull() && selected.chunk * CHUNK_NUMBERS < before) add(newestOf(selected));
  };
  return { numbers, isFull, add, addChunk };
};

type Picks = ReturnType<typeof createPicks>;

const pick = async (selected: AsyncIterable<SelectedChunk>, picks: Picks): Promise<void> => {
  for await (const each of selected) {
    picks.addChunk(each);
    if (picks.isFull()) break;
  }
};

// Counts all members, and picks those of the page as far as they are found meanwhile. Returns the number below which
// the page must be searched further; undefined if that is unnecessary.
const countAll = async (list: NewestList<unknown>, picks: Picks): Promise<{ count: number; below?: number }> => {
  const known = list.counted?.known ?? NOTHING_KNOWN;
  const end = known.chunks * CHUNK_NUMBERS;
  const selected: SelectedChunk[] = [];
  for await (const each of list.select(Number.POSITIVE_INFINITY, end)) selected.push(each);
  list.counted?.keep(selected);
  for (const each of selected) picks.addChunk(each);
  picks.add(known.newest);
  const count = selected.reduce((sum, { bits }) => sum + countBits(bits), known.count);
  if (picks.isFull() || known.newest.length === known.count) return { count };
  return { count, below: known.newest.at(-1) ?? end };
};

// The numbers of the page and one more, which shows whether another page follows.
const findNumbers = async (
  list: NewestList<unknown>,
  { before, countMax, isCounted }: { before: number; countMax: number; isCounted: boolean },
): Promise<FoundNumbers> => {
  const picks = createPicks(before, countMax);
  const { count, below } = isCounted ? await countAll(list, picks) : { count: 0, below: before };
  if (below !== undefined) await pick(list.select(Math.min(before, below)), picks);
  return { numbers: picks.numbers, count };
};

const toNextPosition = (
  start: PageStart,
  shown: readonly UncommittedItem<unknown>[],
  lastNumber: number | undefined,
): string => {
  const before = lastNumber ?? start.before;
  const identities = shown.filter(({ isPending }) => isPending).map(({ identity }) => identity);
  const position: NewestPosition = {
    // If a member of the index is on the page, all uncommitted items have been shown.
    sequence: lastNumber === undefined ? (shown.at(-1)?.sequence ?? start.sequence) : 0,
    shown: [...identities.reverse(), ...start.shown].slice(0, SHOWN_MAX),
    before: Number.isFinite(before) ? before : null,
  };
  return JSON.stringify(position);
};

/** One page of the list. */
export const readNewestPage = async <T>(list: NewestList<T>, query: PageQuery): Promise<Page<T>> => {
  const start = toStart(list, query.position);
  const older = list.uncommitted.filter(({ sequence }) => sequence < start.sequence);
  const shown = older.slice(0, query.limit);
  const remaining = query.limit - shown.length;
  const { numbers, count } = await findNumbers(list, {
    before: start.before,
    countMax: remaining + 1,
    isCounted: query.isCounted,
  });
  const items = await list.readItems(numbers.slice(0, remaining));
  const isLast = shown.length === older.length && numbers.length <= remaining;
  return {
    items: [...shown.map(({ item }) => item), ...items],
    nextPosition: isLast ? undefined : toNextPosition(start, shown, numbers.slice(0, remaining).at(-1)),
    total: query.isCounted ? count + list.uncommitted.length : undefined,
  };
};

// Pages of a list, newest first: the records that were uncommitted at the first page by their acceptance, then those
// that the index had by their numbers. The chain may commit records in another order than they were accepted in, so a
// number says nothing of a record that was uncommitted at the first page; its acceptance does, before and after the
// commit. So each record of the first page's moment is shown once, whatever is committed, refused or accepted between
// the pages.
import type { Page, PageQuery } from '../ledgerView.ts';
import { CHUNK_NUMBERS, countBits, newestLows, toNumber } from '../rows/bits.ts';
import { type AcceptedPlace, comparePlaces } from './acceptedPlace.ts';
import { type CountedSelection, NOTHING_KNOWN } from './selection/countedSelection.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** An item that is not in the index. */
export interface UncommittedItem<T> {
  readonly place: AcceptedPlace;
  toItem(): T;
}

/** A member of the index that was not in it at the first page. */
export interface CommittedItem {
  readonly place: AcceptedPlace;
  readonly number: number;
}

/** A list to read newest first. */
export interface NewestList<T> {
  /** The uncommitted items that meet the conditions. */
  readonly uncommitted: readonly UncommittedItem<T>[];
  /**
   * Selects the members below `to`, and at or above `from` if it is given, that meet the conditions, newest first.
   */
  select(to: number, from?: number): AsyncIterable<SelectedChunk>;
  /** What is known of the list's members; undefined if all of the list must be counted. */
  readonly counted?: CountedSelection | undefined;
  /** How many members the index has, whether they meet the conditions or not. */
  readCount(): number;
  /**
   * Finds the members at or above `from` that meet the conditions, with their places: at least the last `countMax`
   * before a place.
   */
  findCommitted(from: number, before: AcceptedPlace, countMax: number): Promise<readonly CommittedItem[]>;
  /** Reads members by their numbers, in the same order. */
  readItems(numbers: readonly number[]): Promise<T[]>;
}

/** Where the next page begins. */
export interface NewestPosition {
  /**
   * The place of the last item that was shown of those that were uncommitted at the first page; null if all of them
   * were.
   */
  readonly accepted: AcceptedPlace | null;
  /** Below this number: until a member was shown that the index had at the first page, the number of all of them. */
  readonly before: number;
}

/** Where a page begins. */
export interface PageStart {
  /** Undefined on the first page. */
  readonly accepted: AcceptedPlace | null | undefined;
  readonly before: number;
}

/** The beginning of the first page. */
export const FROM_THE_TOP: PageStart = { accepted: undefined, before: Number.POSITIVE_INFINITY };

const toStart = (position: string | undefined): PageStart =>
  position === undefined ? FROM_THE_TOP : (JSON.parse(position) as NewestPosition);

/** The number below which the members of the index begin at a position of a list; infinite without a position. */
export const toNumberBefore = (position: string | undefined): number => toStart(position).before;

/** The position below a member of the index. */
export const toPositionBelow = (number: number): string =>
  JSON.stringify({ accepted: null, before: number } satisfies NewestPosition);

const byPlaceDescending = (a: { place: AcceptedPlace }, b: { place: AcceptedPlace }): number =>
  comparePlaces(b.place, a.place);

/** The items of the page and one more, if there are so many, of those that the index did not have at the first page. */
export const findUncommitted = async <T>(
  list: Pick<NewestList<T>, 'uncommitted' | 'findCommitted'>,
  { accepted, before }: PageStart,
  countMax: number,
): Promise<(UncommittedItem<T> | CommittedItem)[]> => {
  if (accepted === null) return [];
  if (accepted === undefined) return list.uncommitted.toSorted(byPlaceDescending);
  const committed = await list.findCommitted(before, accepted, countMax);
  return [...list.uncommitted, ...committed]
    .filter(({ place }) => comparePlaces(place, accepted) < 0)
    .sort(byPlaceDescending);
};

interface FoundNumbers {
  readonly numbers: readonly number[];
  readonly count: number;
}

const createPicks = (before: number, countMax: number) => {
  const numbers: number[] = [];
  const isFull = (): boolean => numbers.length >= countMax;
  const add = (newest: readonly number[]): void => {
    if (isFull()) return;
    const below = newest.filter((number) => number < before);
    numbers.push(...below.slice(0, countMax - numbers.length));
  };
  const addChunk = ({ chunk, bits }: SelectedChunk): void => {
    const below = Math.min(CHUNK_NUMBERS, before - chunk * CHUNK_NUMBERS);
    if (isFull() || below <= 0) return;
    for (const low of newestLows(bits, countMax - numbers.length, below)) numbers.push(toNumber(chunk, low));
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
const countAll = async (
  list: Pick<NewestList<unknown>, 'select' | 'counted'>,
  picks: Picks,
): Promise<{ count: number; below?: number }> => {
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

/** The numbers of the page and one more, which shows whether another page follows; and how many there are in all. */
export const findNumbers = async (
  list: Pick<NewestList<unknown>, 'select' | 'counted'>,
  { before, countMax, isCounted }: { before: number; countMax: number; isCounted: boolean },
): Promise<FoundNumbers> => {
  const picks = createPicks(before, countMax);
  const { count, below } = isCounted ? await countAll(list, picks) : { count: 0, below: before };
  if (below !== undefined) await pick(list.select(Math.min(before, below)), picks);
  return { numbers: picks.numbers, count };
};

const toNextPosition = (
  list: NewestList<unknown>,
  start: PageStart,
  lastShown: { readonly place: AcceptedPlace } | undefined,
  lastNumber: number | undefined,
): string => {
  if (lastNumber !== undefined) return toPositionBelow(lastNumber);
  const before = Number.isFinite(start.before) ? start.before : list.readCount();
  const accepted = lastShown?.place ?? start.accepted ?? null;
  return JSON.stringify({ accepted, before } satisfies NewestPosition);
};

/** Reads what is shown of a list: the items that the index did not have at the first page, then others by number. */
export const readShown = async <T>(
  list: Pick<NewestList<T>, 'readItems'>,
  shown: readonly (UncommittedItem<T> | CommittedItem)[],
  numbers: readonly number[],
): Promise<T[]> => {
  const committed = shown.flatMap((each) => ('number' in each ? [each.number] : []));
  const items = await list.readItems([...committed, ...numbers]);
  let next = 0;
  const first = shown.map((each) => ('number' in each ? items[next++]! : each.toItem()));
  return [...first, ...items.slice(next)];
};

/** One page of the list. */
export const readNewestPage = async <T>(list: NewestList<T>, query: PageQuery): Promise<Page<T>> => {
  const start = toStart(query.position);
  const older = await findUncommitted(list, start, query.limit + 1);
  const shown = older.slice(0, query.limit);
  const remaining = query.limit - shown.length;
  const found = await findNumbers(list, {
    before: start.before,
    countMax: remaining + 1,
    isCounted: query.isCounted,
  });
  const numbers = found.numbers.slice(0, remaining);
  const isLast = shown.length === older.length && found.numbers.length <= remaining;
  return {
    items: await readShown(list, shown, numbers),
    nextPosition: isLast ? undefined : toNextPosition(list, start, shown.at(-1), numbers.at(-1)),
    total: query.isCounted ? found.count + list.uncommitted.length : undefined,
  };
};

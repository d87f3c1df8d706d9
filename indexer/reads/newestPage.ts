// Pages of a list, newest first: the records that wait for the chain on top, then the index, from one snapshot. Keyset, not offset: what
// arrives or is committed between two pages neither repeats a record nor hides one.

import type { Page, PageQuery } from '../ledgerView.ts';
import { countBits, lowsOf, toNumber } from '../rows/bits.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** An item that is not in the index. */
export interface UncommittedItem<T> {
  /** Order of acceptance. */
  readonly sequence: number;
  /** Whether it may still come into the index; not so once the chain has refused it. */
  readonly isPending: boolean;
  /** Identity by which the item is found in the index once it is there. */
  readonly identity: string;
  readonly item: T;
}

export interface NewestList<T> {
  /** Those that meet the conditions, newest first. */
  readonly uncommitted: readonly UncommittedItem<T>[];
  /** Members below this number that meet the conditions, newest first. */
  select(to: number): AsyncIterable<SelectedChunk>;
  /** Number of what was uncommitted when it was shown; undefined when the index doesn't have it. */
  readNumber(identity: string): number | undefined;
  readItems(numbers: readonly number[]): Promise<T[]>;
}

// Where the next page begins: below a sequence of acceptance, and below a number. Where no member of the index was shown yet, the last of
// the pending that were shown say it: once committed, their numbers are where to go on. Several, because the chain may refuse some.
interface NewestPosition {
  readonly sequence: number;
  readonly shown: readonly string[];
  readonly before: number | null;
}

/** So many may be refused between two pages without a record being shown twice. */
const SHOWN_MAX = 16;

interface Start {
  readonly sequence: number;
  readonly before: number;
  readonly shown: readonly string[];
}

const FROM_THE_TOP: Start = { sequence: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY, shown: [] };

const toStart = (list: NewestList<unknown>, position: string | undefined): Start => {
  if (position === undefined) return FROM_THE_TOP;
  const { sequence, shown, before } = JSON.parse(position) as NewestPosition;
  if (before !== null) return { sequence, before, shown };
  const committed = shown.map((identity) => list.readNumber(identity)).find((number) => number !== undefined);
  return { sequence, before: committed ?? Number.POSITIVE_INFINITY, shown };
};

interface Found {
  readonly numbers: readonly number[];
  readonly count: number;
}

// The numbers of the page and one more, which tells whether another page follows.
const findNumbers = async (
  list: NewestList<unknown>,
  { before, wanted, isCounted }: { before: number; wanted: number; isCounted: boolean },
): Promise<Found> => {
  const numbers: number[] = [];
  let count = 0;
  for await (const { chunk, bits } of list.select(isCounted ? Number.POSITIVE_INFINITY : before)) {
    if (isCounted) count += countBits(bits);
    if (numbers.length < wanted) {
      const below = lowsOf(bits)
        .reverse()
        .map((low) => toNumber(chunk, low))
        .filter((number) => number < before);
      numbers.push(...below.slice(0, wanted - numbers.length));
    } else if (!isCounted) break;
  }
  return { numbers, count };
};

const toNextPosition = (
  start: Start,
  shown: readonly UncommittedItem<unknown>[],
  lastNumber: number | undefined,
): string => {
  const before = lastNumber ?? start.before;
  const identities = shown.filter(({ isPending }) => isPending).map(({ identity }) => identity);
  const position: NewestPosition = {
    // With a member of the index on the page, all that was uncommitted has been shown.
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
  const room = query.limit - shown.length;
  const { numbers, count } = await findNumbers(list, {
    before: start.before,
    wanted: room + 1,
    isCounted: query.isCounted,
  });
  const items = await list.readItems(numbers.slice(0, room));
  const isLast = shown.length === older.length && numbers.length <= room;
  return {
    items: [...shown.map(({ item }) => item), ...items],
    nextPosition: isLast ? undefined : toNextPosition(start, shown, numbers.slice(0, room).at(-1)),
    total: query.isCounted ? count + list.uncommitted.length : undefined,
  };
};

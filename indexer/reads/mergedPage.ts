// Pages of a list over several tenants, newest first: the reader's own uncommitted records, then what the chain has of
// each tenant, by its position in the chain. The numbers of an index are those of one tenant and say nothing of
// another, so a page continues at a position of the chain.
import * as keys from '../keys.ts';
import type { Page, PageQuery } from './../ledgerView.ts';
import { type ChainPosition, comparePositions } from '../rows/chainPosition.ts';
import type { Cursor } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import {
  FROM_THE_TOP,
  findNumbers,
  findUncommitted,
  type NewestList,
  type NewestPosition,
  type PageStart,
  readShown,
} from './newestPage.ts';

/** A tenant's members that a list contains, without uncommitted ones. */
export interface MemberList<T> extends Pick<NewestList<T>, 'select' | 'counted' | 'readCount' | 'readItems'> {
  /** Where the chain has members, by their numbers. */
  readPositions(numbers: readonly number[]): Promise<readonly ChainPosition[]>;
  /** Where the chain has one member. */
  readPosition(number: number): ChainPosition;
}

/** The block up to which the index has records. */
export const readBlockNumber = (snapshot: Pick<Snapshot, 'read'>): number =>
  (snapshot.read(keys.cursorKey()) as Cursor).blockNumber;

/** The lists that a page is merged from. */
export interface MergedLists<T> {
  /** The reader's own; undefined if it sees no more of its own tenant than of others. */
  readonly own: (NewestList<T> & MemberList<T>) | undefined;
  readonly others: readonly MemberList<T>[];
  /** The block up to which the index has records. */
  readonly blockNumber: number;
}

/** Where the next page begins: the reader's own members as in a list of its own, all others below a position. */
interface MergedPosition extends NewestPosition {
  readonly below: ChainPosition;
}

/** Whether a page continues a list over several tenants. */
export const isMergedPosition = (position: string): boolean => 'below' in (JSON.parse(position) as object);

interface MergedStart extends PageStart {
  readonly below: ChainPosition | undefined;
}

const toStart = (position: string | undefined): MergedStart =>
  position === undefined ? { ...FROM_THE_TOP, below: undefined } : (JSON.parse(position) as MergedPosition);

/** The number of the members before a position. */
export const countBelow = (
  list: Pick<MemberList<unknown>, 'readCount' | 'readPosition'>,
  position: ChainPosition,
): number => {
  let [low, high] = [0, list.readCount()];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePositions(list.readPosition(middle), position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

// The members of one tenant, newest first, with their positions, which are read as the merge needs them.
interface Queue {
  readonly list: MemberList<unknown>;
  readonly numbers: readonly number[];
  readonly positions: ChainPosition[];
  taken: number;
}

/** Positions of a list that are read at once at first, and how many times as many the next time. */
const POSITIONS_AT_ONCE = 64;
const POSITIONS_FACTOR = 8;

// One position of each list shows which list the page begins with: a list with older members alone costs no more.
const readHead = ({ list, numbers: [newest], positions }: Queue): ChainPosition | undefined => {
  if (newest === undefined) return undefined;
  positions.push(list.readPosition(newest));
  return positions[0];
};

const readNext = async ({ list, numbers, positions, taken }: Queue): Promise<ChainPosition | undefined> => {
  if (taken >= numbers.length) return undefined;
  if (taken >= positions.length) {
    const count = Math.max(POSITIONS_AT_ONCE, POSITIONS_FACTOR * (positions.length - 1));
    positions.push(...(await list.readPositions(numbers.slice(taken, taken + count))));
  }
  return positions[taken];
};

/** A member of the list at this place of the lists, by its number. */
interface Merged {
  readonly at: number;
  readonly number: number;
  readonly position: ChainPosition;
}

const merge = async (queues: readonly Queue[], countMax: number): Promise<Merged[]> => {
  const merged: Merged[] = [];
  const heads = queues.map(readHead);
  while (merged.length < countMax) {
    let newest: number | undefined;
    for (const [at, head] of heads.entries()) {
      if (head === undefined) continue;
      if (newest === undefined || comparePositions(head, heads[newest]!) > 0) newest = at;
    }
    if (newest === undefined) return merged;
    const queue = queues[newest]!;
    merged.push({ at: newest, number: queue.numbers[queue.taken]!, position: heads[newest]! });
    queue.taken += 1;
    heads[newest] = await readNext(queue);
  }
  return merged;
};

const readMerged = async <T>(lists: readonly MemberList<T>[], merged: readonly Merged[]): Promise<T[]> => {
  const items = new Map<Merged, T>();
  const readOf = async (list: MemberList<T>, at: number): Promise<void> => {
    const ofList = merged.filter((each) => each.at === at);
    if (ofList.length === 0) return;
    const read = await list.readItems(ofList.map(({ number }) => number));
    for (const [index, each] of ofList.entries()) items.set(each, read[index]!);
  };
  await Promise.all(lists.map(readOf));
  return merged.map((each) => items.get(each)!);
};

interface Shown {
  readonly start: MergedStart;
  /** The place of the last of the reader's own that were uncommitted at the first page. */
  readonly accepted: NewestPosition['accepted'] | undefined;
  readonly merged: readonly Merged[];
}

const toNextPosition = ({ own, blockNumber }: MergedLists<unknown>, { start, accepted, merged }: Shown): string => {
  const lastOwn = own === undefined ? undefined : merged.findLast(({ at }) => at === 0);
  const before = lastOwn?.number ?? (Number.isFinite(start.before) ? start.before : (own?.readCount() ?? 0));
  const last = merged.at(-1);
  const below = last?.position ?? start.below ?? { blockNumber: blockNumber + 1, logIndex: 0 };
  const isPast = last !== undefined;
  const next = { accepted: isPast ? null : (accepted ?? start.accepted ?? null), before, below };
  return JSON.stringify(next satisfies MergedPosition);
};

/** One page of the lists. */
export const readMergedPage = async <T>(merging: MergedLists<T>, query: PageQuery): Promise<Page<T>> => {
  const { own, others } = merging;
  const lists = own === undefined ? others : [own, ...others];
  const start = toStart(query.position);
  const older = own === undefined ? [] : await findUncommitted(own, start, query.limit + 1);
  const shown = older.slice(0, query.limit);
  const remaining = query.limit - shown.length;
  const queues: Queue[] = [];
  let total = own?.uncommitted.length ?? 0;
  for (const list of lists) {
    const isOwn = list === own;
    const before =
      isOwn || start.below === undefined
        ? isOwn
          ? start.before
          : Number.POSITIVE_INFINITY
        : countBelow(list, start.below);
    const found = await findNumbers(list, { before, countMax: remaining + 1, isCounted: query.isCounted });
    total += found.count;
    queues.push({ list, numbers: found.numbers, positions: [], taken: 0 });
  }
  const found = await merge(queues, remaining + 1);
  const merged = found.slice(0, remaining);
  const isLast = shown.length === older.length && found.length <= remaining;
  const first = own === undefined ? [] : await readShown(own, shown, []);
  return {
    items: [...first, ...(await readMerged(lists, merged))],
    nextPosition: isLast ? undefined : toNextPosition(merging, { start, accepted: shown.at(-1)?.place, merged }),
    total: query.isCounted ? total : undefined,
  };
};

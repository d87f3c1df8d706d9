// The order in which parties take turns: start-time fair queueing. Each party has a virtual time at which its next item
// may begin; an item that begins moves it on by the item's cost. The party with the earliest time is next, so that in
// the long run all parties that wait get the same amount of work done, whatever the number of their requests.

/** An item that waits, with its party. */
export interface Next<T> {
  readonly party: string;
  readonly cost: number;
  readonly item: T;
}

/** Items of several parties that wait. */
export interface FairQueue<T> {
  /** Items of all parties. */
  size(): number;
  /** Items of one party. */
  countOf(party: string): number;
  /** Adds an item behind the others of its party. */
  add(party: string, cost: number, item: T): void;
  /** The item that is next among the first ones of all parties that may begin; undefined: none may. */
  peek(mayBegin?: (party: string, cost: number) => boolean): Next<T> | undefined;
  /** Removes the first item of a party, which begins. */
  begin(party: string): void;
  /** Removes an item that doesn't begin. Returns whether it was there. */
  remove(party: string, item: T): boolean;
  /** Charges a party for work beyond the cost that its items had when they were added. */
  charge(party: string, cost: number): void;
  /** Forgets what parties that don't wait have used. To be called when nothing waits or is in progress. */
  forget(): void;
}

interface Party<T> {
  nextAt: number;
  readonly items: { readonly cost: number; readonly item: T }[];
}

/** Parties that don't wait and are remembered before those whose time has passed are forgotten. */
const USED_MAX = 1_024;

/** Creates an empty queue. Each call of `peek` looks at all parties that wait. */
export const createFairQueue = <T>(): FairQueue<T> => {
  const waiting = new Map<string, Party<T>>();
  /** Times of the next items of parties that don't wait. */
  const used = new Map<string, number>();
  let now = 0;
  let size = 0;

  const toNextAt = (party: string): number => Math.max(now, used.get(party) ?? 0);

  const setUsed = (party: string, nextAt: number): void => {
    if (used.size >= USED_MAX) for (const [name, at] of used) if (at <= now) used.delete(name);
    used.set(party, nextAt);
  };

  // Behind all others with the same time.
  const putBack = (party: string, state: Party<T>): void => {
    waiting.delete(party);
    if (state.items.length > 0) waiting.set(party, state);
    else setUsed(party, state.nextAt);
  };

  return {
    size: () => size,
    countOf: (party) => waiting.get(party)?.items.length ?? 0,
    add: (party, cost, item) => {
      const state = waiting.get(party) ?? { nextAt: toNextAt(party), items: [] };
      state.items.push({ cost, item });
      waiting.set(party, state);
      used.delete(party);
      size += 1;
    },
    peek: (mayBegin = () => true) => {
      let first: Next<T> | undefined;
      let firstAt = Number.POSITIVE_INFINITY;
      for (const [party, { nextAt, items }] of waiting) {
        const { cost, item } = items[0]!;
        if (nextAt >= firstAt || !mayBegin(party, cost)) continue;
        first = { party, cost, item };
        firstAt = nextAt;
      }
      return first;
    },
    begin: (party) => {
      const state = waiting.get(party)!;
      const { cost } = state.items.shift()!;
      size -= 1;
      now = Math.max(now, state.nextAt);
      state.nextAt += cost;
      putBack(party, state);
    },
    remove: (party, removed) => {
      const state = waiting.get(party);
      const at = state?.items.findIndex(({ item }) => item === removed) ?? -1;
      if (state === undefined || at < 0) return false;
      state.items.splice(at, 1);
      size -= 1;
      if (state.items.length === 0) putBack(party, state);
      return true;
    },
    charge: (party, cost) => {
      const state = waiting.get(party);
      if (state === undefined) setUsed(party, toNextAt(party) + cost);
      else state.nextAt += cost;
    },
    forget: () => {
      used.clear();
      now = 0;
    },
  };
};

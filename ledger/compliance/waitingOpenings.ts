// Opening events that wait for their answer: a first-in, first-out queue for each correlation id.

export interface WaitingOpenings {
  /**
   * Adds the opening with this index, which is one more than the index added before. Returns whether another opening of
   * the id waits.
   */
  add(correlation: string | undefined): boolean;
  /** Removes the oldest opening of the id and returns its index; undefined when none waits. */
  removeOldest(correlation: string | undefined): number | undefined;
}

/** Queues without openings. Events without a correlation id never wait. */
export const createWaitingOpenings = (): WaitingOpenings => {
  // A circular linked list for each id: the map has its newest opening, and `next` leads from an opening to the one
  // after it, and from the newest to the oldest. It allocates nothing for an opening, and an id whose openings are all
  // answered leaves the map.
  const newest = new Map<string, number>();
  const next: number[] = [];
  return {
    add: (correlation) => {
      const index = next.length;
      next.push(index);
      if (correlation === undefined) return false;
      const last = newest.get(correlation);
      newest.set(correlation, index);
      if (last === undefined) return false;
      next[index] = next[last]!;
      next[last] = index;
      return true;
    },
    removeOldest: (correlation) => {
      const last = correlation === undefined ? undefined : newest.get(correlation);
      if (last === undefined) return undefined;
      const oldest = next[last]!;
      if (oldest === last) newest.delete(correlation!);
      else next[last] = next[oldest]!;
      return oldest;
    },
  };
};

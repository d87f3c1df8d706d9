// A map with a bound on the weight of its values, for caches. Values are removed in the order in which they were added;
// one that was used since then is kept for another turn (the CLOCK algorithm), so that a use costs one look-up.

/** A map with a bound. */
export interface BoundedMap<V> {
  /** The value, which then counts as used. */
  get(key: string): V | undefined;
  /** Adds a value or replaces it. A value above the bound is not kept. */
  set(key: string, value: V, weight: number): void;
  delete(key: string): void;
}

/** Creates an empty map for values of this weight together. */
export const createBoundedMap = <V>(weightMax: number): BoundedMap<V> => {
  const entries = new Map<string, { readonly value: V; readonly weight: number; isUsed: boolean }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.isUsed = true;
      return entry.value;
    },
    set: (key, value, weight) => {
      remove(key);
      if (weight > weightMax) return;
      // Ends: an entry that moves to the end of the map is no longer used.
      for (const [oldest, entry] of entries) {
        if (total + weight <= weightMax) break;
        if (entry.isUsed) {
          entries.delete(oldest);
          entries.set(oldest, entry);
          entry.isUsed = false;
        } else remove(oldest);
      }
      entries.set(key, { value, weight, isUsed: false });
      total += weight;
    },
    delete: remove,
  };
};

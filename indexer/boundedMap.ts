// A map with a bound on the weight of its values, for caches: the value that was used least recently is removed first.

/** A map with a bound. */
export interface BoundedMap<V> {
  /** The value, which then counts as the one used last. */
  get(key: string): V | undefined;
  /** Adds a value or replaces it. A value above the bound is not kept. */
  set(key: string, value: V, weight: number): void;
  delete(key: string): void;
}

/** Creates an empty map for values of this weight together. */
export const createBoundedMap = <V>(weightMax: number): BoundedMap<V> => {
  const entries = new Map<string, { readonly value: V; readonly weight: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, weight) => {
      remove(key);
      if (weight > weightMax) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= weightMax) return;
        remove(oldest);
      }
    },
    delete: remove,
  };
};

// A cache of results that follow from their key alone, shared by all runs of a process of the operating system: what it
// contains changes the time that a run takes, never the run.

/** A cache that keeps at least the last `size` entries that were used. */
export interface BoundedCache<V> {
  /** The value of the key; `create` makes it when the cache doesn't have it. */
  get(key: string, create: () => V): V;
}

/** An empty cache. It keeps two generations of entries, and drops the older one when the newer is full. */
export const createBoundedCache = <V>(size: number): BoundedCache<V> => {
  let newer = new Map<string, V>();
  let older = new Map<string, V>();
  const keep = (key: string, value: V): V => {
    if (newer.size >= size) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, value);
    return value;
  };
  return {
    get: (key, create) => newer.get(key) ?? keep(key, older.get(key) ?? create()),
  };
};

// A map with a bound on the weight of its values, for caches. Values belong to one of two generations. When the young
// one is full, it becomes the old one, whose values are removed at once; a value that is used moves to the young one.
// So no operation looks for the value to remove: a JavaScript Map skips every deleted entry to find its first one.

/** A map with a bound. */
export interface BoundedMap<V> {
  /** The value, which then counts as used. */
  get(key: string): V | undefined;
  /** Adds a value or replaces it. A value of more than half the bound is not kept. */
  set(key: string, value: V, weight: number): void;
  delete(key: string): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** Creates an empty map for values of this weight together. */
export const createBoundedMap = <V>(weightMax: number): BoundedMap<V> => {
  const generationMax = weightMax / 2;
  let young = new Map<string, Entry<V>>();
  let old = new Map<string, Entry<V>>();
  let youngWeight = 0;
  const remove = (key: string): void => {
    youngWeight -= young.get(key)?.weight ?? 0;
    young.delete(key);
    old.delete(key);
  };
  const add = (key: string, entry: Entry<V>): void => {
    if (youngWeight + entry.weight > generationMax) {
      old = young;
      young = new Map();
      youngWeight = 0;
    }
    young.set(key, entry);
    youngWeight += entry.weight;
  };
  return {
    get: (key) => {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const used = old.get(key);
      if (used === undefined) return undefined;
      old.delete(key);
      add(key, used);
      return used.value;
    },
    set: (key, value, weight) => {
      remove(key);
      if (weight <= generationMax) add(key, { value, weight });
    },
    delete: remove,
  };
};

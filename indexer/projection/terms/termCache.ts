// A cache of terms. A rebuild uses millions of terms, most of them repeatedly. A cached string has its hash code
// already, so that looking up its list in a map costs little.

/** A cache of what was computed from texts. */
export interface TermCache {
  /** A function that returns the results of `compute`, and computes those that are not cached. */
  keep<T>(compute: (text: string) => T): (text: string) => T;
  /** The same for a function that is itself a result of another one, and is dropped with that result. */
  keepWithin<T>(compute: (text: string) => T): (text: string) => T;
  /** The number of cached results. */
  size(): number;
}

/** Creates a cache of at most `sizeMax` results. A full cache is emptied. */
export const createTermCache = (sizeMax: number): TermCache => {
  const lasting: Map<string, unknown>[] = [];
  let count = 0;
  const makeCapacity = (): void => {
    if (count < sizeMax) return;
    for (const results of lasting) results.clear();
    count = 0;
  };
  const cacheIn =
    <T>(results: Map<string, T>, compute: (text: string) => T) =>
    (text: string): T => {
      const known = results.get(text);
      if (known !== undefined) return known;
      makeCapacity();
      const result = compute(text);
      count += 1;
      results.set(text, result);
      return result;
    };
  return {
    keep: <T>(compute: (text: string) => T) => {
      const results = new Map<string, T>();
      lasting.push(results);
      return cacheIn(results, compute);
    },
    keepWithin: (compute) => cacheIn(new Map(), compute),
    size: () => count,
  };
};

const CACHED_MAX = 65_536;

/** The cache of this thread. */
export const cachedTerms = createTermCache(CACHED_MAX);

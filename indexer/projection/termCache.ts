// A cache of terms. A rebuild creates millions of terms, most of them repeatedly. A cached string has its hash code
// already, so that looking up its list in a map costs little.

/** A cache of terms. */
export interface TermCache {
  /** The term of a value in a list of terms; computed by `toTerm` unless it is cached. */
  find(list: string, value: string): string;
  /** The number of cached lists and terms. */
  size(): number;
}

/** Creates a cache of about `sizeMax` lists and terms. A full cache is emptied. */
export const createTermCache = (sizeMax: number, toTerm: (list: string, value: string) => string): TermCache => {
  const cached = new Map<string, Map<string, string>>();
  let count = 0;
  const add = <T>(into: Map<string, T>, name: string, value: T): T => {
    count += 1;
    into.set(name, value);
    return value;
  };
  return {
    find: (list, value) => {
      if (count >= sizeMax) {
        cached.clear();
        count = 0;
      }
      const terms = cached.get(list) ?? add(cached, list, new Map<string, string>());
      return terms.get(value) ?? add(terms, value, toTerm(list, value));
    },
    size: () => [...cached.values()].reduce((sum, terms) => sum + terms.size, cached.size),
  };
};

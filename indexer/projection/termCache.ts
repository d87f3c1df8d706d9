// Terms are made by the million while an index is built, mostly the same ones again. One that is kept has its hash already, so that finding
// its list costs next to nothing.

export interface TermCache {
  /** The term of a value in a list of terms; made by `toTerm` unless it is kept. */
  find(list: string, value: string): string;
  /** How many lists and terms are kept. */
  size(): number;
}

/** Keeps lists and terms up to about this number, then forgets all of them. */
export const createTermCache = (sizeMax: number, toTerm: (list: string, value: string) => string): TermCache => {
  const kept = new Map<string, Map<string, string>>();
  let count = 0;
  const keep = <T>(into: Map<string, T>, name: string, value: T): T => {
    count += 1;
    into.set(name, value);
    return value;
  };
  return {
    find: (list, value) => {
      if (count >= sizeMax) {
        kept.clear();
        count = 0;
      }
      const terms = kept.get(list) ?? keep(kept, list, new Map<string, string>());
      return terms.get(value) ?? keep(terms, value, toTerm(list, value));
    },
    size: () => [...kept.values()].reduce((sum, terms) => sum + terms.size, kept.size),
  };
};

// Maps that are cheap to copy: a copy has its own changes only, and reads the rest from the map that it was copied
// from. So each block keeps the state after it, and a reorg returns to an older one.

/** A map that can be read and changed. */
export interface Store<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

/** Changes on top of a map, to be committed or dropped. */
export interface Draft<V> extends Store<V> {
  /** Makes the changes in the map below. */
  commit(): void;
}

/** A map that can be copied. */
export interface LayeredMap<V> extends Store<V> {
  /** A copy with changes of its own. From now on this map must not change. */
  fork(): LayeredMap<V>;
  draft(): Draft<V>;
}

const createDraft = <V>(below: Store<V>): Draft<V> => {
  const changes = new Map<string, V>();
  return {
    get: (key) => changes.get(key) ?? below.get(key),
    set: (key, value) => {
      changes.set(key, value);
    },
    commit: () => {
      for (const [key, value] of changes) below.set(key, value);
    },
  };
};

type Layer<V> = ReadonlyMap<string, V>;

const merge = <V>(older: Layer<V>, newer: Layer<V>): Layer<V> => {
  const merged = new Map(older);
  for (const [key, value] of newer) merged.set(key, value);
  return merged;
};

// Merges the newest layers until each layer has at least twice as many entries as the next: then there are few layers,
// and an entry is copied seldom.
const compact = <V>(layers: readonly Layer<V>[]): Layer<V>[] => {
  const compacted = [...layers];
  while (compacted.length > 1 && compacted.at(-2)!.size < 2 * compacted.at(-1)!.size) {
    const newer = compacted.pop()!;
    compacted.push(merge(compacted.pop()!, newer));
  }
  return compacted;
};

// `below` are the maps that this one was copied from, the oldest first.
const createOn = <V>(below: readonly Layer<V>[]): LayeredMap<V> => {
  const own = new Map<string, V>();
  const map: LayeredMap<V> = {
    get: (key) => {
      const value = own.get(key);
      for (let at = below.length - 1; value === undefined && at >= 0; at -= 1) {
        const older = below[at]!.get(key);
        if (older !== undefined) return older;
      }
      return value;
    },
    set: (key, value) => {
      own.set(key, value);
    },
    fork: () => createOn(own.size === 0 ? below : compact([...below, own])),
    draft: () => createDraft(map),
  };
  return map;
};

/** An empty map. */
export const createLayeredMap = <V>(): LayeredMap<V> => createOn([]);

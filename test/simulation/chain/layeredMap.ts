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

// A lookup passes at most so many maps; then a copy gets all entries.
const LAYERS_MAX = 12;

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

type Layers<V> = readonly ReadonlyMap<string, V>[];

const merge = <V>(layers: Layers<V>): Map<string, V> => {
  const merged = new Map<string, V>();
  for (const layer of layers) for (const [key, value] of layer) merged.set(key, value);
  return merged;
};

// `below` are the maps that this one was copied from, the oldest first.
const createOn = <V>(below: Layers<V>): LayeredMap<V> => {
  const own = new Map<string, V>();
  const layers = [...below, own];
  const map: LayeredMap<V> = {
    get: (key) => {
      for (let at = layers.length - 1; at >= 0; at -= 1) {
        const value = layers[at]!.get(key);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    set: (key, value) => {
      own.set(key, value);
    },
    fork: () => {
      if (own.size === 0) return createOn(below);
      return createOn(layers.length < LAYERS_MAX ? layers : [merge(layers)]);
    },
    draft: () => createDraft(map),
  };
  return map;
};

/** An empty map. */
export const createLayeredMap = <V>(): LayeredMap<V> => createOn([]);

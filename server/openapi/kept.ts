/** Values by their keys: a Map, or a WeakMap, which forgets those of objects that nothing else holds. */
interface Kept<Key, Value> {
  has(key: Key): boolean;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * Returns a function that calls `create` once for each key. The document and the validators of its paths are kept so:
 * all servers of a process share them, because they take seconds of CPU time together.
 */
export const keep = <Key, Value>(
  create: (key: Key) => Value,
  kept: Kept<Key, Value> = new Map<Key, Value>(),
): ((key: Key) => Value) => {
  return (key) => {
    if (!kept.has(key)) kept.set(key, create(key));
    return kept.get(key)!;
  };
};

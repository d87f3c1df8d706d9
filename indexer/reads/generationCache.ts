// What reads keep in memory of an index, as long as no row of it was deleted: a rebuilt index begins without it.
import { type BoundedMap, createBoundedMap } from '../boundedMap.ts';
import type { Snapshot } from '../snapshots.ts';

/** Returns the function that finds the map of a snapshot's generation. `weightMax`: the bound of each map. */
export const createGenerationCache = <V>(
  weightMax: number,
): ((snapshot: Pick<Snapshot, 'generation'>) => BoundedMap<V>) => {
  const byGeneration = new WeakMap<object, BoundedMap<V>>();
  return ({ generation }) => {
    const known = byGeneration.get(generation) ?? createBoundedMap<V>(weightMax);
    byGeneration.set(generation, known);
    return known;
  };
};

// The display types of events, as far as they are granted by their names, chunk by chunk.

import * as keys from '../../keys.ts';
import { attributeTerm } from '../../projection/terms.ts';
import { CHUNK_NUMBERS, lowsOf } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { countFullChunks } from '../selection/fullChunks.ts';
import { readTermBits } from './restrictedTerms.ts';

/** The type of each event of a chunk, by the low part of its number: 1 and more for the types, 0 for any other. */
export type TypesOfChunk = Uint16Array;

/** Bytes of types: those of 2 million events for each of two lists of types. */
const TYPES_BYTES_MAX = 16 * 2 ** 20;

const keptOf = createGenerationCache<TypesOfChunk>(TYPES_BYTES_MAX);

/**
 * Returns the function that reads which of these types the events of a chunk have. What a full chunk has never changes,
 * so it is kept in memory.
 */
export const createReadTypes = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  types: readonly string[],
): ((chunk: number) => Promise<TypesOfChunk>) => {
  const kept = keptOf(snapshot);
  const fullChunks = countFullChunks(snapshot, tenantKey);
  const terms = types.map((type) => attributeTerm('events', 'event_attributes', 'arc_display_type', type));
  const name = `${keys.toKeyName(tenantKey)} ${JSON.stringify(types)}`;
  return async (chunk) => {
    const isFull = chunk < fullChunks;
    const known = isFull ? kept.get(`${chunk} ${name}`) : undefined;
    if (known !== undefined) return known;
    const found = new Uint16Array(CHUNK_NUMBERS);
    const lists = await readTermBits(snapshot, tenantKey, terms, chunk);
    for (const [at, list] of lists.entries()) for (const low of lowsOf(list)) found[low] = at + 1;
    if (isFull) kept.set(`${chunk} ${name}`, found, found.byteLength + 2 * name.length);
    return found;
  };
};

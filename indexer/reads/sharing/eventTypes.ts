// The display types of events, as far as they are granted by their names, chunk by chunk.
import * as keys from '../../keys.ts';
import { attributeTerm } from '../../projection/terms/termNames.ts';
import { CHUNK_NUMBERS, lowsOf, toNumber } from '../../rows/bits.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { readCount } from '../selection/selection.ts';
import { readTermBits } from './restrictedTerms.ts';

/** The type of each event of a chunk, by the low part of its number: 1 and more for the types, 0 for any other. */
export type TypesOfChunk = Uint16Array;

/** Bytes of types: those of 2 million events for each of two lists of types. */
const TYPES_BYTES_MAX = 16 * 2 ** 20;

interface KnownTypes {
  /** The number of events that the tenant had. */
  readonly events: number;
  readonly types: TypesOfChunk;
}

const keptOf = createGenerationCache<KnownTypes>(TYPES_BYTES_MAX);

/**
 * Returns the function that reads which of these types the events of a chunk have. The type of an event never changes,
 * so what is found is kept in memory until the chunk has more events.
 */
export const createReadTypes = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  types: readonly string[],
): ((chunk: number) => Promise<TypesOfChunk>) => {
  const kept = keptOf(snapshot);
  const count = readCount(snapshot, { tenantKey, collection: 'events' });
  const terms = types.map((type) => attributeTerm('events', 'event_attributes', 'arc_display_type', type));
  const name = `${keys.toKeyName(tenantKey)} ${JSON.stringify(types)}`;
  return async (chunk) => {
    const events = Math.min(count, toNumber(chunk + 1, 0));
    const known = kept.get(`${chunk} ${name}`);
    if (known !== undefined && known.events >= events) return known.types;
    const found = new Uint16Array(CHUNK_NUMBERS);
    const lists = await readTermBits(snapshot, tenantKey, terms, chunk);
    for (const [at, list] of lists.entries()) for (const low of lowsOf(list)) found[low] = at + 1;
    kept.set(`${chunk} ${name}`, { events, types: found }, found.byteLength + 2 * name.length);
    return found;
  };
};

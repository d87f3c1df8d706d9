// Reads a column of the events of one chunk.
import * as keys from '../../keys.ts';
import { type Bits, CHUNK_NUMBERS, hasAny } from '../../rows/bits.ts';
import { type Column, columnPageEvents, decodeColumnPage } from '../../rows/columns.ts';
import type { Snapshot } from '../../snapshots.ts';

/** Events of one chunk. */
export interface Selected {
  readonly chunk: number;
  readonly bits: Bits;
}

/**
 * The values of a column for the events of a chunk, by the low part of their numbers. Values of events that are not in
 * `bits` may be 0.
 */
export const readColumn = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  { chunk, bits }: Selected,
  column: Column,
): Promise<Float64Array | Uint32Array> => {
  const size = columnPageEvents(column);
  const pages = Array.from({ length: CHUNK_NUMBERS / size }, (_, page) => page).filter((page) =>
    hasAny(bits, page * size, (page + 1) * size),
  );
  const first = (chunk * CHUNK_NUMBERS) / size;
  const rows = await snapshot.readMany(pages.map((page) => keys.columnKey(tenantKey, column, first + page)));
  const values = column === 'asset' ? new Uint32Array(CHUNK_NUMBERS) : new Float64Array(CHUNK_NUMBERS);
  for (const [at, page] of pages.entries()) values.set(decodeColumnPage(rows[at] as Uint8Array, column), page * size);
  return values;
};

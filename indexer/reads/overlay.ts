// Members of the index that records in the outbox change: taken out of what the index selects, and put back where their changed state
// meets the conditions.
import { type Bits, createBits, setBit, subtract, toChunk, toLow, unite } from '../rows/bits.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** Numbers, by chunk. */
export const toNumberSet = (numbers: Iterable<number>): Map<number, Bits> => {
  const set = new Map<number, Bits>();
  for (const number of numbers) {
    const bits = set.get(toChunk(number)) ?? createBits();
    setBit(bits, toLow(number));
    set.set(toChunk(number), bits);
  }
  return set;
};

export interface Overlay {
  /** Numbers of the members that are changed. */
  readonly changed: ReadonlyMap<number, Bits>;
  /** Numbers of those of them that meet the conditions as they are now. */
  readonly matching: ReadonlyMap<number, Bits>;
}

/** The selection, newest first, with the overlay over it. */
export async function* withOverlay(
  selected: AsyncIterable<SelectedChunk>,
  { changed, matching }: Overlay,
): AsyncGenerator<SelectedChunk> {
  const waiting = [...matching.keys()].sort((a, b) => b - a);
  for await (const { chunk, bits } of selected) {
    for (let next = waiting[0]; next !== undefined && next > chunk; next = waiting[0]) {
      waiting.shift();
      yield { chunk: next, bits: matching.get(next)!.slice() };
    }
    if (waiting[0] === chunk) waiting.shift();
    subtract(bits, changed.get(chunk));
    const own = matching.get(chunk);
    if (own !== undefined) unite(bits, own);
    yield { chunk, bits };
  }
  for (const chunk of waiting) yield { chunk, bits: matching.get(chunk)!.slice() };
}

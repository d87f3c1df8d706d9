// The overlay of uncommitted records on a selection: the members that they change are removed from it, and added again
// if their changed state meets the conditions.
import { type Bits, createBits, setBit, subtract, toChunk, toLow, unite } from '../rows/bits.ts';
import type { SelectedChunk } from './selection/selection.ts';

/** A set of numbers, by chunk. */
export const toNumberSet = (numbers: Iterable<number>): Map<number, Bits> => {
  const set = new Map<number, Bits>();
  for (const number of numbers) {
    const bits = set.get(toChunk(number)) ?? createBits();
    setBit(bits, toLow(number));
    set.set(toChunk(number), bits);
  }
  return set;
};

/** Which members uncommitted records change. */
export interface Overlay {
  /** The numbers of the changed members. */
  readonly changed: ReadonlyMap<number, Bits>;
  /** The numbers of those that meet the conditions in their changed state. */
  readonly matching: ReadonlyMap<number, Bits>;
}

/** Applies an overlay to a selection, which is newest first. */
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

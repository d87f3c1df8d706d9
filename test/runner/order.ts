// In which order files run.
import { createRandom } from '../../bench/random.ts';

/** The values in an order that only the seed decides. */
export const shuffle = <T>(values: readonly T[], seed: number): T[] => {
  const random = createRandom(seed);
  return values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
};

/**
 * Files with the dearest first, so that none of them starts last; an unknown file counts as a middling one.
 * @param wallMs what files took when they were measured, in milliseconds
 */
export const dearestFirst = (files: readonly string[], wallMs: Readonly<Record<string, number>>): string[] => {
  const costOf = toCost(wallMs);
  return [...files].sort((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1));
};

/** Returns a function of a file: its measured milliseconds, or those of a middling file. */
export const toCost = (wallMs: Readonly<Record<string, number>>): ((file: string) => number) => {
  const known = Object.values(wallMs).sort((a, b) => a - b);
  const middle = known[Math.floor(known.length / 2)] ?? 1_000;
  return (file) => wallMs[file] ?? middle;
};

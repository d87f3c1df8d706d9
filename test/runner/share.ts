// How much of a run is done, by what its files cost when they were measured.
import type { FileProgress, FileResult } from './fileResult.ts';
import { toCost } from './order.ts';
import { readRecorded } from './recorded.ts';

/** Returns a function of what has ended and what runs: the share that is done, from 0 to 1. */
export const createShare = (
  files: readonly string[],
): ((done: readonly FileResult[], running: readonly FileProgress[]) => number) => {
  const costOf = toCost(readRecorded());
  const sum = (costs: readonly number[]): number => costs.reduce((total, cost) => total + cost, 0);
  const totalMs = sum(files.map(costOf));
  return (done, running) => {
    // A file that takes longer than it did counts as about to end.
    const runningMs = running.map(({ file, beganMs }) => Math.min(costOf(file), performance.now() - beganMs));
    return sum([...done.map(({ file }) => costOf(file)), ...runningMs]) / totalMs;
  };
};

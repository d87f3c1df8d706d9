// Catches up with the chain when a read found nothing: another server of the network may have recorded it. All reads
// that wait share a run, and runs have a distance, so that requests for what doesn't exist can't load the nodes.
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseIfMistake } from '../chain/defects.ts';

/** Milliseconds from the beginning of a run to that of the next one. */
const DISTANCE_MS = 100;

/** What catching up needs. */
export interface HeadCatchUpOptions {
  /** Resolves when reads show everything up to a final head that the chain had at the call or later. */
  readonly refresh: () => Promise<void>;
  /** How long one read waits at most. */
  readonly waitMs: number;
  /** Milliseconds of a clock that is never set. */
  readonly nowMs?: () => number;
}

/**
 * Returns a function that catches up with the final head that the chain has at its call. It resolves to whether reads
 * show that head: not when the chain doesn't answer in time, and at once when it hasn't answered an earlier call.
 */
export const createHeadCatchUp = ({
  refresh,
  waitMs,
  nowMs = () => performance.now(),
}: HeadCatchUpOptions): (() => Promise<boolean>) => {
  let next: Promise<boolean> | undefined;
  let running: Promise<boolean> = Promise.resolve(true);
  let begunMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  const run = async (): Promise<boolean> => {
    try {
      await refresh();
      return true;
    } catch (cause) {
      // The follower reports why the index is behind.
      raiseIfMistake(cause);
      return false;
    } finally {
      isRunning = false;
    }
  };
  const begin = async (): Promise<boolean> => {
    await running;
    await sleep(Math.max(0, begunMs + DISTANCE_MS - nowMs()));
    next = undefined;
    begunMs = nowMs();
    isRunning = true;
    running = run();
    return running;
  };
  return async () => {
    if (isRunning && nowMs() - begunMs > waitMs) return false;
    next ??= begin();
    const timer = new AbortController();
    const timeout = sleep(waitMs, false, { signal: timer.signal, ref: false }).catch(() => false);
    return Promise.race([next, timeout]).finally(() => timer.abort());
  };
};

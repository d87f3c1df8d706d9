// The server's clock: the machine's time, but never earlier than a time that it has returned before. Otherwise a clock
// that is set back while the server runs would produce records that are older than those before them.

export interface SteadyClock {
  /** Milliseconds since the epoch, never less than before. */
  now(): number;
  /**
   * Holds the clock at this time or later: the time of the newest record that was written before this process began.
   */
  holdAt(atMs: number): void;
}

/** Smaller steps back are normal for time synchronisation, and are not reported. */
const SILENT_MS = 1_000;

/**
 * A clock over the machine's clock `now`. `onSetBack` is called once each time that the machine's clock is set back by
 * a second or more.
 */
export const createSteadyClock = (options: { now: () => number; onSetBack: (byMs: number) => void }): SteadyClock => {
  let newestMs = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return {
    now: () => {
      const machineMs = options.now();
      const byMs = newestMs - machineMs;
      if (byMs >= SILENT_MS && !isReported) options.onSetBack(byMs);
      isReported = byMs >= SILENT_MS || (isReported && byMs > 0);
      newestMs = Math.max(newestMs, machineMs);
      return newestMs;
    },
    holdAt: (atMs) => {
      newestMs = Math.max(newestMs, atMs);
    },
  };
};

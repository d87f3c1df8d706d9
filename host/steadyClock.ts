// The server's time: the machine's, but never before a time that it has given already. A clock that is set back while the server runs would
// else write records that are older than those before them.

export interface SteadyClock {
  /** Milliseconds since the epoch, never less than before. */
  now(): number;
  /** Holds the clock at this time or later: what was written before this process began. */
  holdAt(atMs: number): void;
}

/** Steps back of less than this are what time synchronisation does; nobody needs to hear of them. */
const SILENT_MS = 1_000;

/** A clock over the machine's. `onSetBack` receives once, each time that it is set back by a second or more, by how much. */
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

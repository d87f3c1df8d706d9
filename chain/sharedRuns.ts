// Runs of one task that calls share. A run counts only for what it began with, so a call never gets the result of a run
// that began before it.

/** What a run knows. */
export interface SharedRun {
  /** Must be called before anything is read that calls expect to be new: later calls get another run. */
  readonly begin: () => void;
  /** Whether the run was requested while another one was in progress, for which it has waited. */
  readonly hasWaited: boolean;
}

/** Runs of one task, one after the other. */
export interface SharedRuns<T> {
  /** The result of a run that begins after the call, shared with the other calls before its beginning. */
  run(): Promise<T>;
  /** Resolves when the runs that were requested before the call have ended. */
  ended(): Promise<void>;
}

/** The runs of `task`. */
export const createSharedRuns = <T>(task: (run: SharedRun) => Promise<T>): SharedRuns<T> => {
  // The newest run, and the one that has not begun.
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  let running = 0;

  const request = (): Promise<T> => {
    const hasWaited = running > 0;
    running += 1;
    const begin = (): void => {
      if (next === requested) next = undefined;
    };
    const run = async (): Promise<T> => {
      try {
        return await task({ begin, hasWaited });
      } finally {
        begin();
        running -= 1;
      }
    };
    const requested = last.then(run, run);
    return requested;
  };

  return {
    run: () => {
      if (next === undefined) {
        next = request();
        last = next;
      }
      return next;
    },
    ended: () =>
      last.then(
        () => undefined,
        () => undefined,
      ),
  };
};

// Reads the pages of all streams one after the other, and pauses between them, so that streams, however many there are,
// leave most of the event loop's time to requests. With more streams each is later, not the writes.

/** Reads a page in its turn. Resolves or rejects as the task does. */
export type RunInFeedTurns = <T>(task: () => Promise<T>) => Promise<T>;

export interface FeedTurnsDeps {
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Resolves after this many milliseconds, when other pending events have been processed. */
  readonly pause: (ms: number) => Promise<unknown>;
  /** Pause after a task, as a multiple of its time. */
  readonly pauses: number;
}

/** Runs each task when the pause after the earlier one is over. */
export const createFeedTurns = ({ nowMs, pause, pauses }: FeedTurnsDeps): RunInFeedTurns => {
  let turn: Promise<unknown> = Promise.resolve();
  return (task) => {
    let beganMs = 0;
    const begin = () => {
      beganMs = nowMs();
      return task();
    };
    const end = () => pause((nowMs() - beganMs) * pauses);
    const run = turn.then(begin);
    turn = run.then(end, end);
    return run;
  };
};

// The times that records are accepted at, and the times that the present is judged at, kept apart: nothing is accepted any more at a time at which
// somebody was told how things stand, so whoever asks again for that time hears the same.

export interface AcceptanceClock {
  /** Time for a record, in milliseconds since the epoch: never before an earlier one's. An event must be handed to the writer before anything is awaited. */
  accept(): number;
  /** The latest time at which nothing will be accepted any more. Whatever was accepted so far was accepted by then. */
  judge(): number;
}

/** A clock of both over the machine's. It runs ahead of that by a millisecond where a record and a judgement fall into the same one. */
export const createAcceptanceClock = (now: () => number): AcceptanceClock => {
  let [nextMs, lastMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    accept: () => {
      nextMs = Math.max(nextMs, now());
      lastMs = nextMs;
      return lastMs;
    },
    judge: () => {
      nextMs = Math.max(nextMs, now());
      if (lastMs === nextMs) nextMs += 1;
      return nextMs - 1;
    },
  };
};

// Separates the times of accepted records from the times of compliance checks: after a verdict for a time, no record is
// accepted at or before that time. A later check for the same time therefore has the same verdict.

export interface AcceptanceClock {
  /**
   * Time for a record, in milliseconds since the epoch: never earlier than that of a record before it. Only for
   * `acceptRecord`, which passes the record to the writer in the same turn.
   */
  accept(): number;
  /**
   * Latest time at or before which no further record will be accepted, in milliseconds since the epoch. All records
   * that were accepted so far have this time or an earlier one.
   */
  evaluate(): number;
}

/**
 * A clock for both, over the machine's (`now`, milliseconds). It runs ahead of that by a millisecond when a record and
 * a verdict fall into the same one.
 */
export const createAcceptanceClock = (now: () => number): AcceptanceClock => {
  let [nextMs, lastMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    accept: () => {
      nextMs = Math.max(nextMs, now());
      lastMs = nextMs;
      return lastMs;
    },
    evaluate: () => {
      nextMs = Math.max(nextMs, now());
      if (lastMs === nextMs) nextMs += 1;
      return nextMs - 1;
    },
  };
};

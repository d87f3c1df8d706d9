// Times in answers.

/** The last time that a Date can have. */
const DATE_MS_MAX = 8.64e15;
const MS_PER_SECOND = 1_000;

/** The text of a time in milliseconds since the epoch: in seconds, if it is later than dates go. */
export const describeTime = (timeMs: number): string =>
  timeMs <= DATE_MS_MAX ? new Date(timeMs).toISOString() : `${timeMs / MS_PER_SECOND} s`;

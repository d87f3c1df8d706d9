// Durations as policies have them, in seconds, and as reasons show them.

export const MS_PER_SECOND = 1000;

/**
 * Milliseconds of a policy's whole seconds in decimal digits. The nearest double from 2^53 milliseconds on: no two
 * events are that far apart.
 */
export const toMs = (seconds: string): number => Number(seconds) * MS_PER_SECOND;

/** A duration as Go formats it, cut to whole seconds: `20s`, `1m5s`, `72h0m0s`. */
export const toGoDuration = (durationMs: number): string => {
  const seconds = Math.floor(durationMs / MS_PER_SECOND);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  return hours === 0 ? `${minutes}m${seconds % 60}s` : `${hours}h${minutes % 60}m${seconds % 60}s`;
};

/** The reason of a verdict on a duration over its limit. */
export const toExceeded = (elapsedMs: number, limitMs: number): string =>
  `Duration ${toGoDuration(elapsedMs)} exceeds limit ${toGoDuration(limitMs)}`;

// Jumps of the machine's clock: the time at which it was booted, by its clock and the time since, must stay the same.

/** Smaller corrections are normal, for instance of a clock that ran freely before the network was there. */
const JUMP_MS = 3_600_000;

/** A jump in words. */
export const describeJump = (byMs: number): string =>
  `the clock has jumped forward by ${Math.round(byMs / 60_000)} minutes since the server started`;

/**
 * Returns a function that finds by how many milliseconds the clock is ahead of where it would be if it had run as the
 * time since boot did; undefined up to an hour. `onProblem` gets the begin and the end of a jump once.
 */
export const createFindJump = (
  { nowMs, uptimeMs }: { readonly nowMs: () => number; readonly uptimeMs: () => number },
  onProblem: (message: string) => void,
): (() => number | undefined) => {
  const bootedMs = nowMs() - uptimeMs();
  let isReported = false;
  return () => {
    const byMs = nowMs() - uptimeMs() - bootedMs;
    const hasJumped = byMs > JUMP_MS;
    if (hasJumped && !isReported)
      onProblem(`${describeJump(byMs)}; if it is ahead, stop the server and correct it: records get its times`);
    if (!hasJumped && isReported) onProblem('the clock agrees with the time since the machine was booted again');
    isReported = hasJumped;
    return hasJumped ? byMs : undefined;
  };
};

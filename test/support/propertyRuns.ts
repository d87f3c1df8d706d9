// How often a property is tried: a chosen number of runs in `npm test`, and more of them in `npm run test:all`.
import fc from 'fast-check';

/** `npm run test:all` sets it: how many times as many runs as in `npm test`. */
const FACTOR = Number(process.env.TEST_RUNS_FACTOR ?? 1);

/** Options of `fc.assert`: the number of runs that finds defects in the least time, more of them in `test:all`. */
export const runs = (numRuns: number): { readonly numRuns: number } => ({ numRuns: numRuns * FACTOR });

/** Below the timeout of a test, so that the run that is in progress then can end. */
const RUNS_MS = 45_000;

// fast-check's own time limit leaves the run that is in progress to itself: it would go on beside the next test.
const endRunsInTime: fc.Plugin<unknown> = () => {
  const endMs = performance.now() + RUNS_MS;
  const isOver = (): boolean => performance.now() >= endMs;
  return { decorateRun: (run) => (value) => (isOver() ? new fc.PreconditionFailure(true) : run(value)) };
};

/**
 * For every property of this process: a failure is reported with its seed at once instead of being shrunk, which can
 * take longer than all tests, and runs end before the test's timeout. To be called once.
 */
export const configureProperties = (): void => {
  fc.configureGlobal({ ...runs(100), endOnFailure: true });
  fc.installGlobalPlugin(endRunsInTime);
};

// `npm run simulate -- --regressions`: runs the seeds that once found a defect.
import type { RunReport } from './messages.ts';
import { PlanChangeError } from './planChange.ts';
import type { Regression } from './regressions.ts';
import type { SeedRuns } from './seedRuns.ts';
import { formatRun, type Paint } from './story.ts';

/** How the regressions ended. */
export interface RegressionResult {
  /** Whether each was run and is clean. */
  readonly isClean: boolean;
  /** Entries that were run, also stale ones. Fewer than all after an interruption. */
  readonly done: number;
}

type Runner = Pick<SeedRuns, 'workers' | 'print'>;

// A change of the code that draws plans can leave an entry with positions that its plan no longer has.
const runEntry = async (
  { workers: [worker] }: Runner,
  { seed, faults, requests }: Regression,
): Promise<RunReport | PlanChangeError | undefined> => {
  try {
    return await worker!.run({ seed, change: { faults, requests }, hasStory: true });
  } catch (error) {
    if (error instanceof PlanChangeError) return error;
    throw error;
  }
};

// Returns whether it is clean.
const printEntry = (
  { print }: Runner,
  { seed, defect, found }: Regression,
  report: RunReport | PlanChangeError,
  paint?: Paint,
): boolean => {
  if (report instanceof PlanChangeError) {
    print(`seed ${seed} (${defect}): renew the entry: ${report.message}`);
    return false;
  }
  const isClean = report.violations.length === 0;
  print(`seed ${seed} (${defect}): ${isClean ? 'clean' : 'FAILS'}. ${found}`);
  if (!isClean) print(formatRun(report, undefined, paint));
  return isClean;
};

/** Runs each entry without its defect, and prints its result. */
export const runRegressions = async (
  runner: Runner,
  entries: readonly Regression[],
  paint?: Paint,
): Promise<RegressionResult> => {
  let isClean = true;
  for (const [done, entry] of entries.entries()) {
    const report = await runEntry(runner, entry);
    if (report === undefined) return { isClean: false, done };
    isClean = printEntry(runner, entry, report, paint) && isClean;
  }
  return { isClean, done: entries.length };
};

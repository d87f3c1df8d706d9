// Runs seeds on worker processes, and explains the first failure of each check: shrunk, with its story.
import { count } from '../../support/count.ts';
import type { RunReport, RunTask } from './messages.ts';
import type { ProgressLine } from './progressLine.ts';
import { shrink } from './shrink.ts';
import { formatRun, type Paint } from './story.ts';
import { createTally, type Tally } from './tally.ts';
import { HANG_CHECK, runTasks, type Worker } from './workers.ts';

/** What a command has to run seeds with. */
export interface SeedRuns {
  readonly workers: readonly Worker[];
  readonly progress: ProgressLine;
  /** Ends the runs early. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Seeds to run: so many, from the first one on, all with the same change. */
export interface Seeds extends Pick<RunTask, 'change' | 'chain' | 'only' | 'hasStory'> {
  readonly first: number;
  readonly count: number;
}

/** Failing checks that are explained. */
const EXPLAINED_MAX = 3;
/** Runs for shrinking one failure. */
const SHRINK_RUNS_MAX = 300;
/** Milliseconds of real time in which they start: a run can hang. */
const SHRINK_MS_MAX = 120_000;

const toSpeed = (tally: Tally, startedMs: number): string =>
  (tally.runs / ((performance.now() - startedMs) / 1000)).toFixed(1);

function* toTasks({ first, count: seeds, ...others }: Seeds): Generator<RunTask> {
  for (let at = 0; at < seeds; at += 1) yield { seed: first + at, ...others };
}

/** Runs the seeds. Shows the progress, and each failure when it is found. */
export const runSeeds = async ({ workers, progress, print }: SeedRuns, seeds: Seeds): Promise<Tally> => {
  const tally = createTally();
  const startedMs = performance.now();
  await runTasks(workers, toTasks(seeds), (report) => {
    tally.add(report);
    if (report.violations.length > 0) {
      progress.clear();
      print(`seed ${report.task.seed} fails: ${report.violations[0]!.check}`);
    }
    progress.show(
      () =>
        `${tally.runs} of ${count(seeds.count, 'seed')}, ${toSpeed(tally, startedMs)}/s, ${tally.failures.length} failed`,
    );
  });
  progress.clear();
  return tally;
};

const shrinkReport = async (
  { workers: [worker], progress }: SeedRuns,
  { task, violations }: RunReport,
  plan: NonNullable<RunReport['plan']>,
) => {
  const { seed, change } = task;
  let runs = 0;
  const run = (smaller: RunTask['change']) => {
    runs += 1;
    progress.show(() => `shrinks seed ${seed}: run ${runs} of at most ${SHRINK_RUNS_MAX}`);
    return worker!.run({ ...task, change: smaller, hasStory: false });
  };
  const check = violations[0]!.check;
  const shrunk = await shrink({ plan, check, change, run, runsMax: SHRINK_RUNS_MAX, msMax: SHRINK_MS_MAX });
  progress.clear();
  return shrunk;
};

/** Prints a failure: its shortest run, how to run it again, and its story. */
const explain = async (seedRuns: SeedRuns, report: RunReport, defect?: string, paint?: Paint) => {
  const { workers, print } = seedRuns;
  const { task, plan, violations } = report;
  // Each run that hangs takes minutes.
  const isHung = violations[0]!.check === HANG_CHECK;
  if (plan === undefined || isHung) return print(formatRun(report, defect, paint));
  const { change, runs } = await shrinkReport(seedRuns, report, plan);
  const shrunk = await workers[0]!.run({ ...task, change, hasStory: true });
  if (shrunk === undefined) return;
  if (shrunk.violations.length === 0)
    print(`\nSeed ${task.seed} failed once and not again: it depends on something besides its seed.`);
  const before = `${count(plan.faults.length, 'fault')} and ${count(plan.requests.length, 'request')}`;
  const title = `Seed ${task.seed} with ${before} was shrunk in ${count(runs, 'run')}.`;
  print(`\n${title}\n\n${formatRun(shrunk, defect, paint)}`);
};

/** Explains the first failure of each check. */
export const explainFailures = async (
  runs: SeedRuns,
  failures: readonly RunReport[],
  defect?: string,
  paint?: Paint,
): Promise<void> => {
  const byCheck = Map.groupBy(failures, ({ violations }) => violations[0]!.check);
  for (const [first] of [...byCheck.values()].slice(0, EXPLAINED_MAX)) {
    if (!runs.signal.aborted) await explain(runs, first!, defect, paint);
  }
};

// Runs seeds with a planted defect until a check fails that passes without the defect.
import { toTable } from '../../../bench/table.ts';
import { count } from '../../support/count.ts';
import type { Defect } from '../defects/defect.ts';
import type { RunReport, RunTask } from './messages.ts';
import { HANG_CHECK, PROCESS_CHECK, runTasks, type Worker } from './workers.ts';

/** How a defect was found. */
export interface DefectResult {
  readonly defect: Defect;
  /** Number of seeds up to the first that found it; undefined: none did. */
  readonly seeds: number | undefined;
  /** The check that failed. */
  readonly check: string;
  /** Number of runs that ended or blocked the process although the defect doesn't state it. They don't count. */
  readonly endedRuns: number;
  /** Whether runs without faults are clean with the defect. */
  readonly isOrdinaryPathClean: boolean;
  readonly elapsedMs: number;
}

/** Options of a search. */
export interface DefectSearch {
  readonly defect: Defect;
  /** Workers whose code has the defect. */
  readonly workers: readonly Worker[];
  /** A worker without the defect. */
  readonly reference: Worker;
  readonly firstSeed: number;
  readonly seedsMax: number;
  /** Receives the number of runs that have ended, after each. */
  readonly onRun: (ended: number) => void;
  readonly signal: AbortSignal;
}

/** Seeds that are run without their faults. */
const ORDINARY_SEEDS = 5;
/** Runs that end the process although the defect doesn't state it, after which the search ends: each takes seconds. */
const ENDED_RUNS_MAX = 10;

const toTask = (seed: number): RunTask => ({ seed, change: {}, hasStory: false });

const fails = (report: RunReport | undefined): boolean => (report?.violations.length ?? 0) > 0;

const endsProcess = ({ violations: [first] }: RunReport): boolean =>
  first?.check === PROCESS_CHECK || first?.check === HANG_CHECK;

/** Whether a run finds a planted defect: a check failed, and not just the process, unless the defect states it. */
export const isFind = (report: RunReport | undefined, defect: Defect): boolean =>
  report !== undefined && fails(report) && (defect.endsProcess === true || !endsProcess(report));

const isOrdinaryPathClean = async ([worker]: readonly Worker[], firstSeed: number): Promise<boolean> => {
  for (let at = 0; at < ORDINARY_SEEDS; at += 1) {
    if (fails(await worker!.run({ ...toTask(firstSeed + at), change: { faults: [] } }))) return false;
  }
  return true;
};

// Seeds in ascending order until one has found the defect; those that already run still end.
const findFirst = async ({ defect, workers, reference, firstSeed, seedsMax, onRun, signal }: DefectSearch) => {
  let begun = 0;
  let ended = 0;
  let endedRuns = 0;
  let first: RunReport | undefined;
  let checking: Promise<unknown> = Promise.resolve();
  const next = (): IteratorResult<RunTask, undefined> =>
    first !== undefined || signal.aborted || begun === seedsMax || endedRuns >= ENDED_RUNS_MAX
      ? { done: true, value: undefined }
      : { done: false, value: toTask(firstSeed + begun++) };
  await runTasks(workers, { next }, async (report) => {
    onRun(++ended);
    if (!isFind(report, defect)) {
      if (endsProcess(report)) endedRuns += 1;
      return;
    }
    // The reference worker runs one seed at a time.
    const clean = checking.then(() => reference.run(report.task));
    checking = clean;
    if (fails(await clean)) return;
    if (first === undefined || report.task.seed < first.task.seed) first = report;
  });
  return { first, endedRuns };
};

/** Searches one defect. */
export const searchDefect = async (search: DefectSearch): Promise<DefectResult> => {
  const startedMs = performance.now();
  const { first: found, endedRuns } = await findFirst(search);
  return {
    defect: search.defect,
    seeds: found && found.task.seed - search.firstSeed + 1,
    check: found === undefined ? '' : found.violations[0]!.check,
    endedRuns,
    elapsedMs: performance.now() - startedMs,
    isOrdinaryPathClean: await isOrdinaryPathClean(search.workers, search.firstSeed),
  };
};

/** One line for each result while the search goes on. */
export const formatDefect = ({ defect, seeds, check, endedRuns, elapsedMs }: DefectResult): string => {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  if (seeds !== undefined) return `${defect.name}: ${count(seeds, 'seed')}, ${seconds}, ${check}`;
  const ended = endedRuns === 0 ? '' : `. ${count(endedRuns, 'run')} ended or blocked the process, which is no proof`;
  return `${defect.name}: NOT FOUND, ${seconds}. It is expected from: ${defect.foundBy}${ended}`;
};

/** The results as a table. */
export const toDefectTable = (results: readonly DefectResult[]): string =>
  toTable(
    ['defect: what no longer holds', 'seeds', 'seconds', 'without faults', 'check that finds it'],
    results.map(({ defect, seeds, check, elapsedMs, isOrdinaryPathClean }) => [
      `\`${defect.name}\`: ${defect.breaks}`,
      seeds ?? 'not found',
      (elapsedMs / 1000).toFixed(1),
      isOrdinaryPathClean ? 'clean' : 'fails',
      check,
    ]),
  );

// Runs seeds with a planted defect until a check fails that passes without the defect.
import { toTable } from '../../../bench/table.ts';
import type { Defect } from '../defects/defect.ts';
import type { RunReport, RunTask } from './messages.ts';
import { runTasks, type Worker } from './workers.ts';

/** How a defect was found. */
export interface DefectResult {
  readonly defect: Defect;
  /** Number of seeds up to the first that found it; undefined: none did. */
  readonly seeds: number | undefined;
  /** The check that failed. */
  readonly check: string;
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
  readonly signal: AbortSignal;
}

/** Seeds that are run without their faults. */
const ORDINARY_SEEDS = 5;

const toTask = (seed: number): RunTask => ({ seed, change: {}, hasStory: false });

const fails = (report: RunReport | undefined): boolean => (report?.violations.length ?? 0) > 0;

const isOrdinaryPathClean = async ([worker]: readonly Worker[], firstSeed: number): Promise<boolean> => {
  for (let seed = firstSeed; seed < firstSeed + ORDINARY_SEEDS; seed += 1) {
    if (fails(await worker!.run({ ...toTask(seed), change: { faults: [] } }))) return false;
  }
  return true;
};

// Seeds in ascending order until one has found the defect; those that already run still end.
const findFirst = async ({ workers, reference, firstSeed, seedsMax, signal }: DefectSearch) => {
  let seed = firstSeed;
  let first: RunReport | undefined;
  let checking: Promise<unknown> = Promise.resolve();
  const next = (): IteratorResult<RunTask, undefined> =>
    first !== undefined || signal.aborted || seed === firstSeed + seedsMax
      ? { done: true, value: undefined }
      : { done: false, value: toTask(seed++) };
  await runTasks(workers, { next }, async (report) => {
    if (!fails(report)) return;
    // The reference worker runs one seed at a time.
    const clean = checking.then(() => reference.run(report.task));
    checking = clean;
    if (fails(await clean)) return;
    if (first === undefined || report.task.seed < first.task.seed) first = report;
  });
  return first;
};

/** Searches one defect. */
export const searchDefect = async (search: DefectSearch): Promise<DefectResult> => {
  const startedMs = performance.now();
  const found = await findFirst(search);
  return {
    defect: search.defect,
    seeds: found && found.task.seed - search.firstSeed + 1,
    check: found === undefined ? '' : found.violations[0]!.check,
    elapsedMs: performance.now() - startedMs,
    isOrdinaryPathClean: await isOrdinaryPathClean(search.workers, search.firstSeed),
  };
};

/** One line for each result while the search goes on. */
export const formatDefect = ({ defect, seeds, check, elapsedMs }: DefectResult): string => {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  return seeds === undefined
    ? `${defect.name}: NOT FOUND, ${seconds}. It is expected from: ${defect.foundBy}`
    : `${defect.name}: ${seeds} seeds, ${seconds}, ${check}`;
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

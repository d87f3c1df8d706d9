// Shrinks a failing run: leaves out faults, then requests, as long as the same check still fails (delta debugging,
// Zeller and Hildebrandt 2002). The seed stays, so that what remains happens as before.
import type { Plan } from '../plan/plan.ts';
import type { RunReport } from './messages.ts';
import type { PlanChange } from './planChange.ts';

/** Runs a seed with a change. */
export type RunChanged = (change: PlanChange) => Promise<RunReport | undefined>;

/** The result of shrinking a run. */
export interface Shrunk {
  readonly change: PlanChange;
  /** Number of runs that this took. */
  readonly runs: number;
}

const split = <T>(items: readonly T[], parts: number): T[][] => {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
};

const without = <T>(items: readonly T[], part: readonly T[]): T[] => items.filter((item) => !part.includes(item));

const findFailing = async <T>(
  candidates: Iterable<readonly T[]>,
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> => {
  for (const candidate of candidates) if (await fails(candidate)) return candidate;
  return undefined;
};

/**
 * A part of the items with which `fails` is still true and from which no single item can be left out, provided that
 * `fails` is true for all of them and answers without an end of its budget.
 */
export const findSmallest = async <T>(
  items: readonly T[],
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> => {
  if (items.length === 0 || (await fails([]))) return [];
  let kept = items;
  for (let parts = 2; kept.length > 1; ) {
    const current = kept;
    const chunks = split(current, Math.min(parts, current.length));
    const complements = chunks.length > 2 ? chunks.map((chunk) => without(current, chunk)) : [];
    const part = await findFailing(chunks, fails);
    const smaller = part ?? (await findFailing(complements, fails));
    if (smaller === undefined && parts >= current.length) return current;
    if (smaller === undefined) parts *= 2;
    else parts = part === undefined ? Math.max(parts - 1, 2) : 2;
    kept = smaller ?? current;
  }
  return kept;
};

const positionsOf = (items: readonly unknown[]): number[] => [...items.keys()];

/**
 * The smallest change of a failing run that was found with at most `runsMax` runs, all started within `msMax`
 * milliseconds of real time, and that fails the same check. `plan` is the plan of that run, in which `change` is
 * applied.
 */
export const shrink = async (options: {
  plan: Plan;
  check: string;
  change: PlanChange;
  run: RunChanged;
  runsMax: number;
  msMax: number;
}): Promise<Shrunk> => {
  const { plan, check, change, run, runsMax, msMax } = options;
  const endMs = performance.now() + msMax;
  let runs = 0;
  const fails = async (candidate: PlanChange): Promise<boolean> => {
    if (runs >= runsMax || performance.now() >= endMs) return false;
    runs += 1;
    const report = await run(candidate);
    return report?.violations.some((violation) => violation.check === check) ?? false;
  };
  const { requests } = change;
  const faults = await findSmallest(change.faults ?? positionsOf(plan.faults), (kept) =>
    fails({ faults: kept, requests }),
  );
  const kept = await findSmallest(requests ?? positionsOf(plan.requests), (some) => fails({ faults, requests: some }));
  // A list that is still complete needs no mention.
  const isComplete = requests === undefined && kept.length === plan.requests.length;
  return { change: { faults, requests: isComplete ? undefined : kept }, runs };
};

// How a run differs from what its seed decides: it keeps only some of the plan's faults and requests.
import type { Plan } from '../plan/plan.ts';
import { formatNumbers } from './numberLists.ts';

/** Positions in the plan's lists; undefined: all. */
export interface PlanChange {
  readonly faults?: readonly number[] | undefined;
  readonly requests?: readonly number[] | undefined;
}

const keep = <T>(items: readonly T[], positions: readonly number[] | undefined): readonly T[] =>
  positions === undefined ? items : items.filter((_, at) => positions.includes(at));

/** The plan with only the faults and requests that the change keeps. */
export const applyChange = (plan: Plan, { faults, requests }: PlanChange): Plan => ({
  ...plan,
  faults: keep(plan.faults, faults),
  requests: keep(plan.requests, requests),
});

/** What identifies a run, besides the code. */
export interface ReplayedRun {
  readonly seed: number;
  readonly chain?: Plan['chain'] | undefined;
  readonly change: PlanChange;
}

/** The command that repeats a run and prints its story. */
export const toReplayCommand = ({ seed, chain, change: { faults, requests } }: ReplayedRun, defect?: string): string =>
  [
    `npm run simulate -- --seed ${seed} --trace`,
    ...(chain === undefined ? [] : [`--chain ${chain}`]),
    ...(faults === undefined ? [] : [`--keep ${formatNumbers(faults)}`]),
    ...(requests === undefined ? [] : [`--keep-requests ${formatNumbers(requests)}`]),
    ...(defect === undefined ? [] : [`--defect ${defect}`]),
  ].join(' ');

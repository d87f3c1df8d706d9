// How a run differs from what its seed decides: it keeps only some of the plan's faults and requests.
import type { Plan } from '../plan/plan.ts';
import { formatNumbers } from './numberLists.ts';

/** Positions in the plan's lists, in ascending order; undefined: all. */
export interface PlanChange {
  readonly faults?: readonly number[] | undefined;
  readonly requests?: readonly number[] | undefined;
}

/** A change that names positions which the plan doesn't have. */
export class PlanChangeError extends Error {}

const keep = <T>(
  plan: Plan,
  name: 'faults' | 'requests',
  items: readonly T[],
  positions: readonly number[] | undefined,
): readonly T[] => {
  if (positions === undefined) return items;
  const outside = positions.filter((at) => at >= items.length);
  if (outside.length === 0) return items.filter((_, at) => positions.includes(at));
  throw new PlanChangeError(
    `the plan of seed ${plan.seed} has no ${name} at the positions ${formatNumbers(outside)}; ` +
      `it has ${formatNumbers([...items.keys()])}`,
  );
};

/**
 * The plan with only the faults and requests that the change keeps.
 * @throws PlanChangeError when the change names others.
 */
export const applyChange = (plan: Plan, { faults, requests }: PlanChange): Plan => ({
  ...plan,
  faults: keep(plan, 'faults', plan.faults, faults),
  requests: keep(plan, 'requests', plan.requests, requests),
});

/** What identifies a run, besides the code. */
export interface ReplayedRun {
  readonly seed: number;
  readonly chain?: Plan['chain'] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly change: PlanChange;
}

/** The command that repeats a run and prints its story. */
export const toReplayCommand = (
  { seed, chain, only, change: { faults, requests } }: ReplayedRun,
  defect?: string,
): string =>
  [
    `npm run simulate -- --seed ${seed} --trace`,
    ...(chain === undefined ? [] : [`--chain ${chain}`]),
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(faults === undefined ? [] : [`--keep ${formatNumbers(faults)}`]),
    ...(requests === undefined ? [] : [`--keep-requests ${formatNumbers(requests)}`]),
    ...(defect === undefined ? [] : [`--defect ${defect}`]),
  ].join(' ');

// What the command and its worker processes exchange.
import type { Outcome, Plan, Violation } from '../plan/plan.ts';
import type { Note } from '../world/world.ts';
import type { PlanChange } from './planChange.ts';

/** One run that a worker is asked for. */
export interface RunTask {
  readonly seed: number;
  readonly change: PlanChange;
  /** The kind of chain; undefined: the seed decides. */
  readonly chain?: Plan['chain'] | undefined;
  /** The only kinds of faults; undefined: all. */
  readonly only?: readonly string[] | undefined;
  readonly hasStory: boolean;
}

/** A worker's messages about one task: its plan, then the outcome; or why its change doesn't fit the plan. */
export type WorkerMessage =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly story: readonly Note[] };

/** A run that ended. */
export interface RunReport extends Omit<Outcome, 'plan'> {
  readonly task: RunTask;
  /** Undefined when the worker ended before it had a plan. */
  readonly plan: Plan | undefined;
  readonly violations: readonly Violation[];
  /** Empty unless the task asked for it. */
  readonly story: readonly Note[];
}

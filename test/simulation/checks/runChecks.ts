// Named checks over the same input.
import type { Violation } from '../plan/plan.ts';

/** A check: one sentence for each violation. */
export type Check<Input> = (input: Input) => string[];

/** Runs all these checks. */
export const runChecks = <Input>(checks: Readonly<Record<string, Check<Input>>>, input: Input): Violation[] =>
  Object.entries(checks).flatMap(([check, run]) => run(input).map((text) => ({ check, text })));

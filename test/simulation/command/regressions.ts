// Seeds that found defects of the project, each with the part of its plan that is needed.
import { readFileSync } from 'node:fs';
import type { PlanChange } from './planChange.ts';

/** A run that once failed. */
export interface Regression extends PlanChange {
  readonly seed: number;
  /** Name of the planted defect that is the former one: with it the run still fails. */
  readonly defect: string;
  /** What was wrong, in one sentence. */
  readonly found: string;
}

/** The regressions, oldest first. */
export const regressions = JSON.parse(
  readFileSync(new URL('regressions.json', import.meta.url), 'utf8'),
) as readonly Regression[];

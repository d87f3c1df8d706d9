// The events that a policy uses. Other events can't change the verdict, so they needn't be read.
import type { PolicyContent } from '../records/policy.ts';
import { toMs } from './rules/duration.ts';

/** The last event of a type, and all events of the type that were accepted at or after a time. */
export interface EventRange {
  readonly displayType: string;
  /** Milliseconds since the epoch. `Infinity`: only the last event. */
  readonly fromMs: number;
}

const ALL = Number.NEGATIVE_INFINITY;
const LAST = Number.POSITIVE_INFINITY;

const toRangesOf = (policy: PolicyContent, atMs: number): EventRange[] => {
  const both = (fromMs: number): EventRange[] =>
    [policy.event_display_type, policy.closing_event_display_type].map((displayType) => ({ displayType, fromMs }));
  // The order of acceptance says nothing about declared times.
  const isDeclared = policy.judged_by === 'declared';
  switch (policy.compliance_type) {
    case 'COMPLIANCE_SINCE':
      return [{ displayType: policy.event_display_type, fromMs: isDeclared ? ALL : LAST }];
    case 'COMPLIANCE_DYNAMIC_TOLERANCE':
      return both(isDeclared ? ALL : atMs - toMs(policy.dynamic_window));
    case 'COMPLIANCE_RICHNESS':
      return [];
    default:
      return both(ALL);
  }
};

/**
 * The events that are needed to evaluate these policies at a time: one range for each display type.
 * @param atMs milliseconds since the epoch.
 */
export const toEventRanges = (policies: readonly PolicyContent[], atMs: number): EventRange[] => {
  const from = new Map<string, number>();
  for (const { displayType, fromMs } of policies.flatMap((policy) => toRangesOf(policy, atMs))) {
    from.set(displayType, Math.min(fromMs, from.get(displayType) ?? fromMs));
  }
  return [...from].map(([displayType, fromMs]) => ({ displayType, fromMs }));
};

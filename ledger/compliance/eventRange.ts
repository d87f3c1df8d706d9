// Which events a policy looks at: what isn't in these ranges can't change the verdict, so nobody has to read it.
import type { PolicyContent } from '../records/policy.ts';
import { toMs } from './rules/duration.ts';

/** Of the events of a type: the last, and all that were accepted at or after a time. */
export interface EventRange {
  readonly displayType: string;
  /** Milliseconds since the epoch. `Infinity`: the last alone. */
  readonly fromMs: number;
}

const toRangesOf = (policy: PolicyContent, atMs: number): EventRange[] => {
  const both = (fromMs: number): EventRange[] =>
    [policy.event_display_type, policy.closing_event_display_type].map((displayType) => ({ displayType, fromMs }));
  switch (policy.compliance_type) {
    case 'COMPLIANCE_SINCE':
      return [{ displayType: policy.event_display_type, fromMs: Number.POSITIVE_INFINITY }];
    case 'COMPLIANCE_DYNAMIC_TOLERANCE':
      return both(atMs - toMs(policy.dynamic_window));
    case 'COMPLIANCE_RICHNESS':
      return [];
    default:
      return both(Number.NEGATIVE_INFINITY);
  }
};

/** The events that judging these policies at a time takes: one range for each type. */
export const toEventRanges = (policies: readonly PolicyContent[], atMs: number): EventRange[] => {
  const from = new Map<string, number>();
  for (const { displayType, fromMs } of policies.flatMap((policy) => toRangesOf(policy, atMs))) {
    from.set(displayType, Math.min(fromMs, from.get(displayType) ?? fromMs));
  }
  return [...from].map(([displayType, fromMs]) => ({ displayType, fromMs }));
};

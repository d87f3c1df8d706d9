// COMPLIANCE_SINCE: not too long ago, it was done (decisions.md point 43).
import type { PolicyContent } from '../policyRecord.ts';
import { MS_PER_SECOND, toExceeded, toMs } from './duration.ts';
import type { Subject } from './subject.ts';
import type { SinceEvidence, Verdict } from './verdict.ts';

/** Complies where the last event of the type is at most the limit old, to the millisecond. */
export const judgeSince = <Ref>(policy: PolicyContent, subject: Subject<Ref>): Verdict<Ref, SinceEvidence<Ref>> => {
  const limitMs = toMs(policy.time_period_seconds);
  const limit_seconds = limitMs / MS_PER_SECOND;
  const last = subject.timelineOf(policy.event_display_type).at(-1);
  if (last === undefined) {
    return { compliant: false, reason: 'No events found', evidence: { events: [], events_total: 0, limit_seconds } };
  }
  const elapsedMs = subject.atMs - last.acceptedMs;
  const compliant = elapsedMs <= limitMs;
  const elapsed_seconds = elapsedMs / MS_PER_SECOND;
  return {
    compliant,
    reason: compliant ? '' : toExceeded(elapsedMs, limitMs),
    evidence: { events: [last.ref], events_total: 1, limit_seconds, elapsed_seconds },
  };
};

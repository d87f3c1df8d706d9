// COMPLIANCE_SINCE: not too long ago, it was done (decision 43).
import type { PolicyContent } from '../../records/policy.ts';
import { toDecidingEvent } from '../pairs.ts';
import type { Steps } from '../steps.ts';
import type { Subject } from '../subject.ts';
import type { SinceEvidence, Verdict } from '../verdict.ts';
import { MS_PER_SECOND, toExceeded, toMs } from './duration.ts';

/** Complies where the last event of the type is at most the limit old, to the millisecond. */
export function* judgeSince<Ref>(
  policy: PolicyContent,
  subject: Subject<Ref>,
): Steps<Verdict<Ref, SinceEvidence<Ref>>> {
  const limitMs = toMs(policy.time_period_seconds);
  const { event_display_type, time_period_seconds: limit_seconds } = policy;
  const demanded = { event_display_type, limit_seconds };
  const last = (yield* subject.timelineOf(event_display_type)).at(-1);
  if (last === undefined) {
    return { compliant: false, reason: 'No events found', evidence: { events: [], events_total: 0, ...demanded } };
  }
  const elapsedMs = subject.atMs - last.acceptedMs;
  const compliant = elapsedMs <= limitMs;
  const elapsed_seconds = elapsedMs / MS_PER_SECOND;
  return {
    compliant,
    reason: compliant ? '' : toExceeded(elapsedMs, limitMs),
    evidence: { ...demanded, events: [toDecidingEvent(last)], events_total: 1, elapsed_seconds },
  };
}

// COMPLIANCE_SINCE: the last event of a type is recent enough (decision 43).
import type { PolicyContent } from '../../records/policy.ts';
import { toDecidingEvent } from '../decidingEvents.ts';
import type { EvaluatedAsset } from '../evaluatedAsset.ts';
import type { Steps } from '../steps.ts';
import type { SinceEvidence, Verdict } from '../verdict.ts';
import { MS_PER_SECOND, toExceeded, toMs } from './duration.ts';

/** Complies where the last event of the type is not older than the limit, to the millisecond. */
export function* evaluateSince<Ref>(
  policy: PolicyContent,
  asset: EvaluatedAsset<Ref>,
): Steps<Verdict<Ref, SinceEvidence<Ref>>> {
  const limitMs = toMs(policy.time_period_seconds);
  const { event_display_type, time_period_seconds: limit_seconds } = policy;
  const required = { event_display_type, limit_seconds };
  const last = (yield* asset.timelineOf(event_display_type)).at(-1);
  if (last === undefined) {
    return { compliant: false, reason: 'No events found', evidence: { events: [], events_total: 0, ...required } };
  }
  const elapsedMs = asset.atMs - last.judgedMs;
  const compliant = elapsedMs <= limitMs;
  const elapsed_seconds = elapsedMs / MS_PER_SECOND;
  return {
    compliant,
    reason: compliant ? '' : toExceeded(elapsedMs, limitMs),
    evidence: { ...required, events: [toDecidingEvent(last)], events_total: 1, elapsed_seconds },
  };
}

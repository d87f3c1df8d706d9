// COMPLIANCE_PERIOD_OUTSTANDING: every opening event was answered in time, or still can be (decision 45).
import type { PolicyContent } from '../../records/policy.ts';
import { concatenate, findIndexes, toDecidingEvents, toPairTypes } from '../decidingEvents.ts';
import type { EvaluatedAsset } from '../evaluatedAsset.ts';
import type { Pairing } from '../pairs.ts';
import { inSteps, type Steps } from '../steps.ts';
import type { PeriodOutstandingEvidence, Verdict } from '../verdict.ts';
import { MS_PER_SECOND, toExceeded, toMs } from './duration.ts';

interface Excess {
  /** Index of the longest duration; undefined where there are none. */
  readonly longest: number | undefined;
  /** Number of durations over the limit. */
  readonly exceeding: number;
  /** Number of events of the longest duration and of the durations over the limit. */
  readonly events: number;
}

function* measureExcess<Ref>({ answers, elapsedMs }: Pairing<Ref>, limitMs: number): Steps<Excess> {
  const eventsAt = (index: number): number => (answers[index] === undefined ? 1 : 2);
  let longest: number | undefined;
  let [exceeding, events] = [0, 0];
  yield* inSteps(elapsedMs.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      if (longest === undefined || elapsedMs[index]! > elapsedMs[longest]!) longest = index;
      if (elapsedMs[index]! <= limitMs) continue;
      exceeding += 1;
      events += eventsAt(index);
    }
  });
  return { longest, exceeding, events: exceeding > 0 || longest === undefined ? events : eventsAt(longest) };
}

/**
 * Complies where no opening event was, or is, without an answer for longer than the limit, to the millisecond. The
 * reason names the longest duration.
 */
export function* evaluatePeriodOutstanding<Ref>(
  policy: PolicyContent,
  asset: EvaluatedAsset<Ref>,
): Steps<Verdict<Ref, PeriodOutstandingEvidence<Ref>>> {
  const pairing = yield* asset.pairingOf(policy.event_display_type, policy.closing_event_display_type);
  const { answers, elapsedMs, open } = pairing;
  const limitMs = toMs(policy.time_period_seconds);
  const { longest, exceeding, events } = yield* measureExcess(pairing, limitMs);
  const others = findIndexes(elapsedMs.length, (index) => elapsedMs[index]! > limitMs && index !== longest);
  const longestMs = longest === undefined ? undefined : elapsedMs[longest]!;
  return {
    compliant: exceeding === 0,
    reason: exceeding === 0 ? '' : toExceeded(longestMs!, limitMs),
    evidence: {
      ...toPairTypes(policy),
      events: yield* toDecidingEvents(pairing, longest === undefined ? [] : concatenate([longest], others)),
      events_total: events,
      pairs: answers.length - open,
      open,
      exceeding,
      limit_seconds: policy.time_period_seconds,
      ...(longestMs === undefined ? {} : { elapsed_seconds: longestMs / MS_PER_SECOND }),
    },
  };
}

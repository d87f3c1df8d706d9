// COMPLIANCE_PERIOD_OUTSTANDING: whatever was opened was closed in time, or still can be (decisions.md point 45).
import type { PolicyContent } from '../policyRecord.ts';
import { MS_PER_SECOND, toExceeded, toMs } from './duration.ts';
import { findOpenings, toDeciding, toPairTypes } from './pairs.ts';
import type { Subject } from './subject.ts';
import type { PeriodOutstandingEvidence, Verdict } from './verdict.ts';

const findLongest = (elapsedMs: Float64Array): number | undefined => {
  let longest: number | undefined;
  for (let index = 0; index < elapsedMs.length; index += 1) {
    if (longest === undefined || elapsedMs[index]! > elapsedMs[longest]!) longest = index;
  }
  return longest;
};

/** Complies where no opening event was, or is, without its answer for longer than the limit, to the millisecond. The reason names the longest. */
export const judgePeriodOutstanding = <Ref>(
  policy: PolicyContent,
  subject: Subject<Ref>,
): Verdict<Ref, PeriodOutstandingEvidence<Ref>> => {
  const pairing = subject.pairingOf(policy.event_display_type, policy.closing_event_display_type);
  const { answers, elapsedMs, open } = pairing;
  const limitMs = toMs(policy.time_period_seconds);
  const exceeding = findOpenings(pairing, (index) => elapsedMs[index]! > limitMs);
  const longest = findLongest(elapsedMs);
  const longestMs = longest === undefined ? undefined : elapsedMs[longest]!;
  return {
    compliant: exceeding.length === 0,
    reason: exceeding.length === 0 ? '' : toExceeded(longestMs!, limitMs),
    evidence: {
      ...toPairTypes(policy),
      ...toDeciding(pairing, longest, exceeding),
      pairs: answers.length - open,
      open,
      exceeding: exceeding.length,
      limit_seconds: policy.time_period_seconds,
      ...(longestMs === undefined ? {} : { elapsed_seconds: longestMs / MS_PER_SECOND }),
    },
  };
};

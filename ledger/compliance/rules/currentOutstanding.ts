// COMPLIANCE_CURRENT_OUTSTANDING: whatever was opened was closed (decision 44).
import type { PolicyContent } from '../../records/policy.ts';
import { findIndexes, toDecidingEvents, toPairTypes } from '../pairs.ts';
import type { Steps } from '../steps.ts';
import type { Subject } from '../subject.ts';
import type { CurrentOutstandingEvidence, Verdict } from '../verdict.ts';

/** Complies where every opening event has its answer. */
export function* judgeCurrentOutstanding<Ref>(
  policy: PolicyContent,
  subject: Subject<Ref>,
): Steps<Verdict<Ref, CurrentOutstandingEvidence<Ref>>> {
  const pairing = yield* subject.pairingOf(policy.event_display_type, policy.closing_event_display_type);
  const { answers, open } = pairing;
  const compliant = open === 0;
  const deciding = findIndexes(answers.length, (index) => compliant || answers[index] === undefined);
  return {
    compliant,
    reason: compliant ? '' : `No closing event for ${policy.event_display_type}`,
    evidence: {
      ...toPairTypes(policy),
      events: yield* toDecidingEvents(pairing, deciding),
      events_total: compliant ? 2 * answers.length : open,
      pairs: answers.length - open,
      open,
    },
  };
}

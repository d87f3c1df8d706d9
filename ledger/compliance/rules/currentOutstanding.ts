// COMPLIANCE_CURRENT_OUTSTANDING: every opening event has a closing event (decision 44).
import type { PolicyContent } from '../../records/policy.ts';
import { findIndexes, toDecidingEvents, toPairTypes } from '../decidingEvents.ts';
import type { EvaluatedAsset } from '../evaluatedAsset.ts';
import type { Steps } from '../steps.ts';
import type { CurrentOutstandingEvidence, Verdict } from '../verdict.ts';

/** Complies where every opening event has an answer. */
export function* evaluateCurrentOutstanding<Ref>(
  policy: PolicyContent,
  asset: EvaluatedAsset<Ref>,
): Steps<Verdict<Ref, CurrentOutstandingEvidence<Ref>>> {
  const pairing = yield* asset.pairingOf(policy.event_display_type, policy.closing_event_display_type);
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

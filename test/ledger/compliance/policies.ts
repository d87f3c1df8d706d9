// Policies and histories for the tests of the compliance judge.
import { isAbout } from '../../../ledger/compliance/filterMatch.ts';
import { evaluate } from '../../../ledger/compliance/judge.ts';
import type { PolicyEvent, PolicyHistory } from '../../../ledger/compliance/policyEvent.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import type { Alternatives, ComplianceType, PolicyContent } from '../../../ledger/records/policy.ts';

/** The fields of a policy besides its type, empty. */
export const EMPTY_POLICY: Omit<PolicyContent, 'compliance_type'> = {
  display_name: '',
  description: '',
  asset_filter: [],
  event_display_type: '',
  closing_event_display_type: '',
  time_period_seconds: '0',
  dynamic_window: '0',
  dynamic_variability: 0,
  richness_assertions: [],
};

/** A policy of a type; the other fields are empty. */
export const aPolicy = (type: ComplianceType, given: Partial<PolicyContent> = {}): PolicyContent => ({
  compliance_type: type,
  ...EMPTY_POLICY,
  ...given,
});

/** Policy about events Open, answered by Close. */
export const aPairPolicy = (type: ComplianceType, given: Partial<PolicyContent> = {}): PolicyContent =>
  aPolicy(type, { event_display_type: 'Open', closing_event_display_type: 'Close', ...given });

/** Events of one asset, in ledger order, by their display type. */
export const toHistory = <Ref>(events: readonly PolicyEvent<Ref>[]): PolicyHistory<Ref> => ({
  *ofType(displayType) {
    return events.filter((event) => event.displayType === displayType);
  },
});

type Given = readonly [
  displayType: string,
  acceptedMs: number,
  correlation?: string | undefined,
  /** By default that of the acceptance. */
  declaredMs?: number,
];

/** Events with their place in the list as reference. */
export const toEvents = (given: readonly Given[]): PolicyEvent<number>[] =>
  given.map(([displayType, acceptedMs, correlation, declaredMs = acceptedMs], ref) => ({
    ref,
    displayType,
    correlation,
    acceptedMs,
    declaredMs,
    judgedMs: acceptedMs,
  }));

/** The verdict on these events, without its evidence. */
export const verdictOn = (
  policy: PolicyContent,
  given: readonly Given[],
  atMs: number,
): { compliant: boolean; reason: string } => {
  const { compliant, reason } = evaluate(policy, toHistory(toEvents(given)), {}, atMs);
  return { compliant, reason };
};

export const PASSES = { compliant: true, reason: '' };
export const fails = (reason: string) => ({ compliant: false, reason });

/** Whether the filter matches an asset with these attributes. */
export const matchesFilter = (filter: readonly Alternatives[], attributes: Attributes): boolean =>
  finish(isAbout({ asset_filter: filter }, attributes));

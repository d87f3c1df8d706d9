// What a policy demands, of which assets.
import type { PolicyAnswer } from '../api/writes.ts';
import { JUDGED_BY, POLICY_TYPES, type PolicyField, toPeriod } from '../text/policyTypes.ts';

const toLists = (lists: PolicyAnswer['asset_filter']): string =>
  lists.map(({ or }) => (or.length > 1 && lists.length > 1 ? `(${or.join(' or ')})` : or.join(' or '))).join(' and ');

const LABELS: Readonly<Record<PolicyField, (policy: PolicyAnswer) => readonly [label: string, text: string]>> = {
  event_display_type: (policy) => ['Type of event', policy.event_display_type],
  closing_event_display_type: (policy) => ['Closed by', policy.closing_event_display_type],
  time_period_seconds: (policy) => ['Period', toPeriod(policy.time_period_seconds)],
  dynamic_window: (policy) => ['Window', toPeriod(policy.dynamic_window)],
  dynamic_variability: (policy) => ['Standard deviations', String(policy.dynamic_variability)],
  judged_by: (policy) => ['Judged by', JUDGED_BY[policy.judged_by ?? 'accepted']],
  richness_assertions: (policy) => ['Must hold', toLists(policy.richness_assertions)],
};

/** The policy's parameters; those that its type doesn't use are left out. */
export const PolicyFacts = ({ policy }: { policy: PolicyAnswer }) => (
  <dl class="facts-list">
    <dt>Applies to</dt>
    <dd dir="auto">{policy.asset_filter.length === 0 ? 'all assets' : toLists(policy.asset_filter)}</dd>
    {POLICY_TYPES[policy.compliance_type].fields.map((field) => {
      const [label, text] = LABELS[field](policy);
      return (
        <div key={field}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      );
    })}
  </dl>
);

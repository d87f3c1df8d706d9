// What a policy costs whoever checks an asset by it, known before it is recorded: the work of a check grows with the texts of all policies.
import type { PolicyContent } from '../policyRecord.ts';

/** Weight of a condition or an assertion besides its characters: looking one up costs as much as reading so many characters. */
export const TEXT_WEIGHT = 16;

type Weighed = Omit<
  PolicyContent,
  'compliance_type' | 'time_period_seconds' | 'dynamic_window' | 'dynamic_variability'
>;

const FIELDS = ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const;

/** Conditions and assertions of a policy. */
export const toPolicyTexts = ({
  asset_filter,
  richness_assertions,
}: Pick<PolicyContent, 'asset_filter' | 'richness_assertions'>): string[] =>
  [...asset_filter, ...richness_assertions].flatMap(({ or }) => or);

/** Weight of a policy: the characters (UTF-16 units) of all its texts, and 16 for each condition and each assertion. */
export const weighPolicy = (policy: Weighed): number =>
  FIELDS.reduce((sum, field) => sum + policy[field].length, 0) +
  toPolicyTexts(policy).reduce((sum, { length }) => sum + length + TEXT_WEIGHT, 0);

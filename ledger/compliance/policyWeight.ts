// What a policy costs a check of an asset by it, known before it is recorded: the work of a check grows with the texts of all policies.
import type { PolicyContent } from '../records/policy.ts';

/** Weight of a condition or an assertion besides its characters: looking one up costs as much as reading so many characters. */
export const TEXT_WEIGHT = 16;

const TEXTS = ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const;
const LISTS = ['asset_filter', 'richness_assertions'] as const;

/** What the weight of a policy comes from. */
export type Weighed = Pick<PolicyContent, (typeof TEXTS)[number] | (typeof LISTS)[number]>;

const weighFields = (policy: Weighed): (readonly [field: keyof Weighed, weight: number])[] => [
  ...TEXTS.map((field) => [field, policy[field].length] as const),
  ...LISTS.map((field) => {
    const texts = policy[field].flatMap(({ or }) => or);
    return [field, texts.reduce((sum, { length }) => sum + length + TEXT_WEIGHT, 0)] as const;
  }),
];

/** Weight of a policy: the characters (UTF-16 units) of all its texts, and 16 for each condition and each assertion. */
export const weighPolicy = (policy: Weighed): number =>
  weighFields(policy).reduce((sum, [, weight]) => sum + weight, 0);

/** The field of a policy that weighs most. */
export const toHeaviestField = (policy: Weighed): keyof Weighed =>
  weighFields(policy).reduce((heaviest, each) => (each[1] > heaviest[1] ? each : heaviest))[0];

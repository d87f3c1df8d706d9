// The weight of a policy: what it adds to the cost of a check, known before it is recorded. The cost of a check grows
// with the texts of all policies.
import type { PolicyContent } from '../records/policy.ts';

/**
 * Weight of a condition or an assertion besides its characters: looking up its attribute costs as much as comparing
 * this many characters.
 */
export const TEXT_WEIGHT = 16;

const TEXTS = ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const;
const LISTS = ['asset_filter', 'richness_assertions'] as const;

/** The fields of a policy that have weight. */
export type Weighed = Pick<PolicyContent, (typeof TEXTS)[number] | (typeof LISTS)[number]>;

const weighFields = (policy: Weighed): (readonly [field: keyof Weighed, weight: number])[] => [
  ...TEXTS.map((field) => [field, policy[field].length] as const),
  ...LISTS.map((field) => {
    const texts = policy[field].flatMap(({ or }) => or);
    return [field, texts.reduce((sum, { length }) => sum + length + TEXT_WEIGHT, 0)] as const;
  }),
];

/**
 * Weight of a policy: the characters (UTF-16 code units) of all its texts, plus 16 for each condition and each
 * assertion.
 */
export const weighPolicy = (policy: Weighed): number =>
  weighFields(policy).reduce((sum, [, weight]) => sum + weight, 0);

/** The field of a policy with the most weight. */
export const toHeaviestField = (policy: Weighed): keyof Weighed =>
  weighFields(policy).reduce((heaviest, each) => (each[1] > heaviest[1] ? each : heaviest))[0];

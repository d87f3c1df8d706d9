// The costliest policies for bench:compliance: as many as a tenant may have, with as much text as is allowed, or as was
// allowed before it was limited.
import { SERVER_LIMITS } from '../../host/settings/installationLimits.ts';
import { TEXT_WEIGHT } from '../../ledger/compliance/policyWeight.ts';
import { LISTS_CHARACTERS_MAX } from '../../ledger/compliance/textLists.ts';
import type { Alternatives, ComplianceType, PolicyContent } from '../../ledger/records/policy.ts';

const { policiesMax, policyWeightMax } = SERVER_LIMITS;
const LIST_TEXTS = 100;

// Assertions about attributes that the asset does not have, except for the last of each list, so that every assertion
// is evaluated.
const toLists = (texts: number): Alternatives[] =>
  Array.from({ length: Math.ceil(texts / LIST_TEXTS) }, (_, list) => ({
    or: Array.from(
      { length: Math.min(LIST_TEXTS, texts - list * LIST_TEXTS) },
      (_, text, at = list * LIST_TEXTS + text) => (text === LIST_TEXTS - 1 ? 'level!=none' : `a${at}<${at}`),
    ),
  }));

const toPolicy = (compliance_type: ComplianceType, given: Partial<PolicyContent>): PolicyContent => ({
  compliance_type,
  display_name: '',
  description: '',
  asset_filter: [],
  event_display_type: 'Open 0',
  closing_event_display_type: 'Close 0',
  time_period_seconds: '3600',
  dynamic_window: '3600',
  dynamic_variability: 3,
  richness_assertions: [],
  ...given,
});

const TEXT_CHARACTERS = 9;
const TEXTS = Math.floor(policyWeightMax / policiesMax / (TEXT_CHARACTERS + TEXT_WEIGHT));
const PAIRED = [
  'COMPLIANCE_CURRENT_OUTSTANDING',
  'COMPLIANCE_PERIOD_OUTSTANDING',
  'COMPLIANCE_DYNAMIC_TOLERANCE',
] as const;

// Each has a different window, so that no two share their pairs.
const toBounded = (number: number): PolicyContent => {
  const type = PAIRED[number % (2 * PAIRED.length)];
  if (type === undefined) return toPolicy('COMPLIANCE_RICHNESS', { richness_assertions: toLists(TEXTS) });
  return toPolicy(type, { dynamic_window: String(40_000 + 100 * number), asset_filter: [{ or: ['level!=none'] }] });
};

/** The most assertions that the record of a policy could have before they were limited. */
const UNBOUNDED_TEXTS = 4_000;

/** The policies, by their description in the report. */
export const COSTLY_POLICIES: Readonly<Record<string, readonly PolicyContent[]>> = {
  [`${policiesMax} policies of the greatest weight`]: Array.from({ length: policiesMax }, (_, number) =>
    toBounded(number),
  ),
  [`${policiesMax} policies of ${UNBOUNDED_TEXTS.toLocaleString('en')} assertions (recorded when ${LISTS_CHARACTERS_MAX.toLocaleString('en')} characters were no limit)`]:
    Array.from({ length: policiesMax }, () =>
      toPolicy('COMPLIANCE_RICHNESS', { richness_assertions: toLists(UNBOUNDED_TEXTS) }),
    ),
};

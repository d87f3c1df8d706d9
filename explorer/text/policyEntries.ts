// A policy as its form has it, and the request that creates or tries it.
import type { FieldViolation } from '../../ledger/errors.ts';
import type { PolicyEntries } from '../api/writes.ts';
import { type ConditionLists, EMPTY_CONDITION } from './conditions.ts';
import { findLongText } from './entries.ts';
import { findWrongConditions, toConditionTexts } from './policyConditions.ts';
import { POLICY_TYPES, type PolicyField, type PolicyType } from './policyTypes.ts';

/** What a person enters of a policy. */
export interface PolicyFormEntries {
  readonly display_name: string;
  readonly description: string;
  readonly asset_filter: ConditionLists;
  readonly event_display_type: string;
  readonly closing_event_display_type: string;
  readonly time_period_seconds: string;
  readonly dynamic_window: string;
  /** Seconds of the unit of the periods. */
  readonly unit: string;
  readonly dynamic_variability: string;
  readonly judged_by: string;
  readonly richness_assertions: ConditionLists;
}

export const EMPTY_POLICY_FORM: PolicyFormEntries = {
  display_name: '',
  description: '',
  asset_filter: [],
  event_display_type: '',
  closing_event_display_type: '',
  time_period_seconds: '',
  dynamic_window: '',
  unit: '86400',
  dynamic_variability: '2',
  judged_by: 'accepted',
  richness_assertions: [[EMPTY_CONDITION]],
};

// Other texts go to the server as they are, which says what is wrong with them.
const toSeconds = (text: string, unit: string): string => {
  if (/^\d+$/.test(text)) return String(BigInt(text) * BigInt(unit));
  const seconds = Number(text) * Number(unit);
  return text !== '' && Number.isSafeInteger(seconds) ? String(seconds) : text;
};

const NAME_CHARACTERS_MAX = 1_024;

/** What is wrong with a policy before it is sent. The server checks what its type requires. */
export const findWrongPolicy = (entries: PolicyFormEntries, type: PolicyType): FieldViolation[] => [
  ...(entries.display_name === '' ? [{ field: 'display_name', description: 'is missing' }] : []),
  ...findLongText('display_name', entries.display_name, NAME_CHARACTERS_MAX),
  ...findWrongTrial(entries, type),
];

/** The same of a policy that is tried, which needs no name. */
export const findWrongTrial = (entries: PolicyFormEntries, type: PolicyType): FieldViolation[] => [
  ...findLongText('description', entries.description),
  ...findWrongConditions('asset_filter', entries.asset_filter),
  ...(type === 'COMPLIANCE_RICHNESS' ? findWrongConditions('richness_assertions', entries.richness_assertions) : []),
];

const VALUES: Readonly<Record<PolicyField, (entries: PolicyFormEntries) => unknown>> = {
  event_display_type: (entries) => entries.event_display_type,
  closing_event_display_type: (entries) => entries.closing_event_display_type,
  time_period_seconds: ({ time_period_seconds, unit }) => toSeconds(time_period_seconds, unit),
  dynamic_window: ({ dynamic_window, unit }) => toSeconds(dynamic_window, unit),
  dynamic_variability: (entries) => entries.dynamic_variability,
  judged_by: (entries) => entries.judged_by,
  richness_assertions: (entries) => toConditionTexts('richness_assertions', entries.richness_assertions),
};

/** The body of the request. */
export const toPolicyRequest = (entries: PolicyFormEntries, type: PolicyType): PolicyEntries => ({
  compliance_type: type,
  display_name: entries.display_name,
  description: entries.description,
  asset_filter: toConditionTexts('asset_filter', entries.asset_filter),
  ...(Object.fromEntries(POLICY_TYPES[type].fields.map((field) => [field, VALUES[field](entries)])) as object),
});

// Converts a client's request to the records of a compliance policy (decisions 3 and 49). Pure, like newEvent.ts.
import { toPolicySyntax, toValueOrder } from '../../ledger/compliance/conditionSyntax.ts';
import { compareDecimals, parseDecimal, splitDecimal } from '../../ledger/encoding/decimal.ts';
import { refuseField } from '../../ledger/errors.ts';
import { isSeconds, type PolicyContent, type PolicyRecord } from '../../ledger/records/policy.ts';
import type { Version } from '../../ledger/records/version.ts';
import type { HandlerRequest } from '../openapi/handlers.ts';
import type { Acceptance } from './acceptance.ts';

/** What a client sends to create a compliance policy. */
export type NewPolicy = HandlerRequest<'createPolicy'>['body'];

// The digits of a whole number without sign and exponent, whose fraction may be zeros; undefined for other texts.
const toIntegerDigits = (text: string): string | undefined => {
  const { sign, integer, fraction = '0', exponent } = splitDecimal(text) ?? {};
  const isInteger = sign === '' && exponent === undefined && /^0+$/.test(fraction);
  return isInteger ? integer?.replace(/^0+(?=\d)/, '') : undefined;
};

// A number arrives as the text that the client wrote, so that no digit of a 64-bit number is lost.
const toSeconds = (given: string | number | undefined, field: string): string => {
  if (given === undefined) return '0';
  const digits = toIntegerDigits(String(given));
  if (digits === undefined || !isSeconds(digits))
    throw refuseField('POLICY_INVALID', field, 'is not a whole number of 64 bits');
  return digits;
};

// Unlike elsewhere, digits are required on both sides of a point.
const isDecimalNumber = (text: string): boolean => {
  const parts = splitDecimal(text);
  return parts?.integer !== undefined && parts.fraction !== '';
};

const isSameDecimal = (one: string, other: string): boolean => {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  return a !== undefined && b !== undefined && compareDecimals(a, b) === 0;
};

const toFinite = (given: string | number | undefined, field: string): number => {
  const number = isDecimalNumber(String(given ?? 0)) ? Number(given ?? 0) : Number.NaN;
  if (!Number.isFinite(number)) throw refuseField('POLICY_INVALID', field, 'is not a decimal number');
  if (!isSameDecimal(String(given ?? 0), String(number))) {
    throw refuseField('POLICY_INVALID', field, 'has more digits than can be kept');
  }
  // Canonical JSON has no negative zero.
  return number + 0;
};

const toGivenContent = (intent: NewPolicy): PolicyContent => ({
  compliance_type: intent.compliance_type,
  display_name: intent.display_name ?? '',
  description: intent.description ?? '',
  asset_filter: intent.asset_filter ?? [],
  event_display_type: intent.event_display_type ?? '',
  closing_event_display_type: intent.closing_event_display_type ?? '',
  time_period_seconds: toSeconds(intent.time_period_seconds, 'time_period_seconds'),
  dynamic_window: toSeconds(intent.dynamic_window, 'dynamic_window'),
  dynamic_variability: toFinite(intent.dynamic_variability, 'dynamic_variability'),
  richness_assertions: intent.richness_assertions ?? [],
  ...(intent.judged_by === 'declared' ? { judged_by: intent.judged_by } : {}),
});

/**
 * The content of a new policy; members that the client left out are empty. `assertPolicy` checks what the policy's type
 * requires.
 * @throws LedgerError POLICY_INVALID that names a field that is not a number.
 */
export const toPolicyContent = (intent: NewPolicy): PolicyContent => {
  const content = toGivenContent(intent);
  return { ...content, ...toPolicySyntax(content), ...toValueOrder(content) };
};

/** The record that creates a policy, or the record that deletes it, which follows the former. */
export const toPolicyRecord = (
  content: PolicyContent,
  { identity, follows }: Required<Version>,
  isDeleted: boolean,
  acceptance: Acceptance,
): PolicyRecord => ({
  type: 'policy',
  identity,
  follows,
  compliance_type: content.compliance_type,
  display_name: content.display_name,
  description: content.description,
  asset_filter: content.asset_filter,
  event_display_type: content.event_display_type,
  closing_event_display_type: content.closing_event_display_type,
  time_period_seconds: content.time_period_seconds,
  dynamic_window: content.dynamic_window,
  dynamic_variability: content.dynamic_variability,
  richness_assertions: content.richness_assertions,
  ...(content.condition_syntax === undefined ? {} : { condition_syntax: content.condition_syntax }),
  ...(content.judged_by === undefined ? {} : { judged_by: content.judged_by }),
  ...(content.value_order === undefined ? {} : { value_order: content.value_order }),
  is_deleted: isDeleted,
  timestamp_accepted: acceptance.atTimestamp,
  principal_accepted: acceptance.principal,
});

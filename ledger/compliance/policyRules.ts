// Validation of new compliance policies (decisions 48, 49 and 53): a requirement that can't be evaluated is refused
// instead of recorded.
import { type FieldViolation, LedgerError } from '../errors.ts';
import { type ComplianceType, isSeconds, NEWEST_SYNTAX, type PolicyContent } from '../records/policy.ts';
import { findMistake, hasOuterBlank } from './policyText.ts';
import { isOrdering, parseAssertion } from './rules/assertion.ts';
import { toBound } from './rules/bound.ts';
import { findTooLong, findWrongCondition, findWrongLists, type TextLists } from './textLists.ts';
import { findUnmeetable } from './unmeetable.ts';

const PAIRED = ['event_display_type', 'closing_event_display_type'] as const;

/** The fields that each type of policy requires. */
export const REQUIRED_FIELDS = {
  COMPLIANCE_SINCE: ['event_display_type', 'time_period_seconds'],
  COMPLIANCE_CURRENT_OUTSTANDING: PAIRED,
  COMPLIANCE_PERIOD_OUTSTANDING: [...PAIRED, 'time_period_seconds'],
  COMPLIANCE_DYNAMIC_TOLERANCE: [...PAIRED, 'dynamic_window', 'dynamic_variability'],
  COMPLIANCE_RICHNESS: ['richness_assertions'],
} as const satisfies Record<ComplianceType, readonly (keyof PolicyContent)[]>;

type GivenPolicy = Readonly<Partial<Record<keyof PolicyContent, unknown>>>;

const refuse = (violations: readonly FieldViolation[]): void => {
  const [first] = violations;
  if (first === undefined) return;
  throw new LedgerError('POLICY_INVALID', { message: `${first.field}: ${first.description}`, violations });
};

const isMissing = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const findMissing = (type: ComplianceType, given: GivenPolicy): FieldViolation[] =>
  REQUIRED_FIELDS[type]
    .filter((field) => isMissing(given[field]))
    .map((field) => ({ field, description: `is required for ${type}` }));

/**
 * Asserts that a request has the fields that its type requires, before absent numbers are filled with zeros.
 * @throws LedgerError POLICY_INVALID that names each missing field.
 */
export const assertRequiredFields = (type: ComplianceType, given: GivenPolicy): void =>
  refuse(findMissing(type, given));

const TEXTS = ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const;

const findLongTexts = (content: PolicyContent): FieldViolation[] =>
  TEXTS.flatMap((field) => {
    const description = findTooLong(content[field]);
    return description === undefined ? [] : [{ field, description }];
  });

const TYPES = ['event_display_type', 'closing_event_display_type'] as const;

// A text of blanks alone counts as missing.
const findBlankTypes = (content: PolicyContent): FieldViolation[] =>
  TYPES.filter((field) => content[field].trim() !== '' && hasOuterBlank(content[field])).map((field) => ({
    field,
    description: 'must have no blanks at either end',
  }));

const findWrongTime = ({ compliance_type, judged_by }: PolicyContent): FieldViolation[] =>
  compliance_type === 'COMPLIANCE_RICHNESS' && judged_by === 'declared'
    ? [{ field: 'judged_by', description: 'must be accepted, because no event decides COMPLIANCE_RICHNESS' }]
    : [];

const PERIODS = ['time_period_seconds', 'dynamic_window'] as const;

const findWrongPeriods = (content: PolicyContent): FieldViolation[] => {
  const required: readonly string[] = REQUIRED_FIELDS[content.compliance_type];
  return PERIODS.flatMap((field) => {
    if (!isSeconds(content[field]))
      return [{ field, description: 'must be whole seconds, at most 9223372036854775807' }];
    const isZero = !/[1-9]/.test(content[field]);
    return isZero && required.includes(field) ? [{ field, description: 'must be more than 0' }] : [];
  });
};

const findWrongVariability = ({ dynamic_variability }: PolicyContent): FieldViolation[] =>
  Number.isFinite(dynamic_variability) && dynamic_variability >= 0
    ? []
    : [{ field: 'dynamic_variability', description: 'must be a number of at least 0' }];

const ASSERTION = 'must be <attribute>, then = != > < >= or <=, then a value';

const NO_ORDER =
  'compares by order, so its value must be a decimal number, a version like 1.10.0, or a date or time like 2026-11-27';

const findWrongAssertion = (text: string): string | undefined => {
  const assertion = parseAssertion(text, NEWEST_SYNTAX);
  if (assertion === undefined) return ASSERTION;
  const { attribute: name, operator, value } = assertion;
  const mistake = findMistake(text, { name, value });
  return mistake ?? (isOrdering(operator) && toBound(value) === undefined ? NO_ORDER : undefined);
};

const LISTS = [
  { field: 'asset_filter', findWrong: findWrongCondition },
  { field: 'richness_assertions', findWrong: findWrongAssertion },
] as const satisfies TextLists[];

/**
 * Asserts that a policy has all fields that its type requires, and each field in a form that can be evaluated.
 * @throws LedgerError POLICY_INVALID that names each invalid field.
 */
export const assertPolicy = (content: PolicyContent): void => {
  refuse([
    ...findMissing(content.compliance_type, content),
    ...findLongTexts(content),
    ...findBlankTypes(content),
    ...findWrongTime(content),
    ...findWrongPeriods(content),
    ...findWrongVariability(content),
    ...LISTS.flatMap((lists) => findWrongLists(lists, content[lists.field])),
  ]);
  refuse(findUnmeetable('asset_filter', content.asset_filter));
};

// Validation of new compliance policies (decisions 48, 49 and 53): a requirement that can't be evaluated is refused
// instead of recorded.
import { type FieldViolation, LedgerError } from '../errors.ts';
import { type Alternatives, type ComplianceType, isSeconds, type PolicyContent } from '../records/policy.ts';
import { parseCondition } from './assetFilter.ts';
import { findMistake, hasOuterBlank } from './policyText.ts';
import { parseAssertion } from './rules/assertion.ts';

/** Most lists of a policy, and most texts of each list. */
const ALTERNATIVES_MAX = 100;
/** Most conditions of a policy in all its lists, and most assertions. */
const TEXTS_MAX = 1_000;
/** Most characters (UTF-16 code units) of all conditions of a policy together, and of all assertions. */
export const LISTS_CHARACTERS_MAX = 32_768;
/** Most code points of each text of a policy. */
const TEXT_CHARACTERS_MAX = 4096;

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

const isTooLong = (text: string): boolean =>
  text.length > TEXT_CHARACTERS_MAX && [...text].length > TEXT_CHARACTERS_MAX;

const TEXTS = ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const;

const TOO_LONG = `must have at most ${TEXT_CHARACTERS_MAX} characters`;

const findLongTexts = (content: PolicyContent): FieldViolation[] =>
  TEXTS.filter((field) => isTooLong(content[field])).map((field) => ({ field, description: TOO_LONG }));

const TYPES = ['event_display_type', 'closing_event_display_type'] as const;

// A text of blanks alone counts as missing.
const findBlankTypes = (content: PolicyContent): FieldViolation[] =>
  TYPES.filter((field) => content[field].trim() !== '' && hasOuterBlank(content[field])).map((field) => ({
    field,
    description: 'must have no blanks at either end',
  }));

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

interface Grammar {
  readonly field: 'asset_filter' | 'richness_assertions';
  readonly form: string;
  /** The attribute's name and the value; undefined where the text has another form. */
  parse(text: string): { readonly name: string; readonly value: string } | undefined;
}

const parseConditionParts: Grammar['parse'] = (text) => {
  const condition = parseCondition(text);
  return condition && { name: condition.name, value: condition.value ?? '*' };
};

const parseAssertionParts: Grammar['parse'] = (text) => {
  const assertion = parseAssertion(text);
  return assertion && { name: assertion.attribute, value: assertion.value };
};

const GRAMMARS: readonly Grammar[] = [
  {
    field: 'asset_filter',
    form: 'attributes.<name>, then = or : or !=, then a value or *',
    parse: parseConditionParts,
  },
  {
    field: 'richness_assertions',
    form: '<attribute>, then = != > < >= or <=, then a value',
    parse: parseAssertionParts,
  },
];

const findWrong = ({ form, parse }: Grammar, text: string): string | undefined => {
  if (isTooLong(text)) return TOO_LONG;
  const parts = parse(text);
  return parts === undefined ? `must be ${form}` : findMistake(text, parts);
};

const findWrongTexts = (grammar: Grammar, list: string, texts: readonly string[]): FieldViolation[] =>
  texts.flatMap((text, index) => {
    const description = findWrong(grammar, text);
    return description === undefined ? [] : [{ field: `${list}/${index}`, description }];
  });

const findTooMuch = (field: string, lists: readonly Alternatives[]): FieldViolation[] => {
  const texts = lists.flatMap(({ or }) => or);
  if (texts.length > TEXTS_MAX)
    return [{ field, description: `must have at most ${TEXTS_MAX} texts in all its items` }];
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const description = `must have at most ${LISTS_CHARACTERS_MAX} characters in all its items`;
  return characters > LISTS_CHARACTERS_MAX ? [{ field, description }] : [];
};

const findWrongLists = (grammar: Grammar, lists: readonly Alternatives[]): FieldViolation[] => {
  const { field } = grammar;
  const size = `must have at most ${ALTERNATIVES_MAX} items`;
  if (lists.length > ALTERNATIVES_MAX) return [{ field, description: size }];
  const tooMuch = findTooMuch(field, lists);
  if (tooMuch.length > 0) return tooMuch;
  return lists.flatMap(({ or }, index) => {
    const list = `${field}/${index}/or`;
    if (or.length === 0) return [{ field: list, description: 'must not be empty' }];
    return or.length > ALTERNATIVES_MAX ? [{ field: list, description: size }] : findWrongTexts(grammar, list, or);
  });
};

/**
 * Asserts that a policy has all fields that its type requires, and each field in a form that can be evaluated.
 * @throws LedgerError POLICY_INVALID that names each invalid field.
 */
export const assertPolicy = (content: PolicyContent): void =>
  refuse([
    ...findMissing(content.compliance_type, content),
    ...findLongTexts(content),
    ...findBlankTypes(content),
    ...findWrongPeriods(content),
    ...findWrongVariability(content),
    ...GRAMMARS.flatMap((grammar) => findWrongLists(grammar, content[grammar.field])),
  ]);

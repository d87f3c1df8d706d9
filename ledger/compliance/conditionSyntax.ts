// The syntax that a policy names where a text of it would be read otherwise without: so earlier policies keep their
// meaning, and policies that need no escapes have the same record as ever (decision 40).
import { parseDecimal } from '../encoding/decimal.ts';
import type { Alternatives, ConditionSyntax, PolicyContent, ValueOrder } from '../records/policy.ts';
import { parseCondition } from './assetFilter.ts';
import { findReadings } from './escapes.ts';
import { isOrdering, parseAssertion } from './rules/assertion.ts';

/** Reads a text by a syntax; undefined where it means nothing. */
export type ParseText<T> = (text: string, syntax: ConditionSyntax | undefined) => T | undefined;

const isReadAlike = <T>(parse: ParseText<T>, text: string): boolean =>
  JSON.stringify(parse(text, undefined)) === JSON.stringify(parse(text, 'escaped'));

/** Whether a text of the lists has another meaning by the escaped syntax. */
export const needsSyntax = <T>(parse: ParseText<T>, lists: readonly Alternatives[]): boolean =>
  lists.some(({ or }) => or.some((text) => !isReadAlike(parse, text)));

/** The member of a policy that names its syntax, if one of its texts needs that. */
export const toSyntaxMember = (isNeeded: boolean): { condition_syntax?: ConditionSyntax } =>
  isNeeded ? { condition_syntax: 'escaped' } : {};

/** The member of a compliance policy with these texts that names their syntax. */
export const toPolicySyntax = ({
  asset_filter,
  richness_assertions,
}: Pick<PolicyContent, 'asset_filter' | 'richness_assertions'>): { condition_syntax?: ConditionSyntax } =>
  toSyntaxMember(needsSyntax(parseCondition, asset_filter) || needsSyntax(parseAssertion, richness_assertions));

// Numbers have always been ordered as numbers.
const needsOrder = (text: string): boolean => {
  const assertion = parseAssertion(text, 'escaped');
  return assertion !== undefined && isOrdering(assertion.operator) && parseDecimal(assertion.value) === undefined;
};

/** The member of a policy with these assertions that names the order of values, if one of them needs that. */
export const toValueOrder = ({
  richness_assertions,
}: Pick<PolicyContent, 'richness_assertions'>): {
  value_order?: ValueOrder;
} => (richness_assertions.some(({ or }) => or.some(needsOrder)) ? { value_order: 'typed' } : {});

/**
 * Lists of an earlier policy as texts of the escaped syntax with the same meaning. What means nothing there, and would
 * mean something here, is left out.
 */
export const restateLists = <T>(
  lists: readonly Alternatives[],
  parse: ParseText<T>,
  write: (parts: T) => string,
): Alternatives[] =>
  lists.map(({ or }) => ({
    or: or.flatMap((text) => {
      if (isReadAlike(parse, text) && findReadings(text) === undefined) return [text];
      const read = parse(text, undefined);
      return read === undefined ? [] : [write(read)];
    }),
  }));

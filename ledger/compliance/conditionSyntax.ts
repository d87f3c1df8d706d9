// The syntax that a policy names where a text of it would be read otherwise without: so earlier policies keep their
// meaning, and policies that need no escapes have the same record as ever (decision 40).
import { parseDecimal } from '../encoding/decimal.ts';
import {
  type Alternatives,
  type ConditionSyntax,
  NEWEST_SYNTAX,
  type PolicyContent,
  type ValueOrder,
} from '../records/policy.ts';
import { parseCondition, writeCondition } from './assetFilter.ts';
import { findReadings } from './escapes.ts';
import { isOrdering, parseAssertion, writeAssertion } from './rules/assertion.ts';

/** Reads a text by a syntax; undefined where it means nothing. */
export type ParseText<T> = (text: string, syntax: ConditionSyntax | undefined) => T | undefined;

/** Whether two syntaxes give a text the same meaning. */
export const isReadAlike = <T>(
  parse: ParseText<T>,
  text: string,
  ...[one, other]: (ConditionSyntax | undefined)[]
): boolean => JSON.stringify(parse(text, one)) === JSON.stringify(parse(text, other));

/** From the oldest to the newest: each reads more than those before it. */
const SYNTAXES = [undefined, 'escaped', NEWEST_SYNTAX] as const;

/** Lists whose texts are of a syntax. */
export interface ListsOfSyntax<T> {
  readonly lists: readonly Alternatives[];
  readonly parse: ParseText<T>;
  /** Default: the newest. */
  readonly syntax?: ConditionSyntax;
}

const findOldest = <T>({ lists, parse, syntax = NEWEST_SYNTAX }: ListsOfSyntax<T>): number =>
  SYNTAXES.findIndex((each) => lists.every(({ or }) => or.every((text) => isReadAlike(parse, text, each, syntax))));

/** The member of a policy that names the oldest syntax by which its texts are read as meant, if it has a name. */
export const toSyntaxMember = (...given: readonly ListsOfSyntax<unknown>[]): { condition_syntax?: ConditionSyntax } => {
  const syntax = SYNTAXES[Math.max(...given.map(findOldest))];
  return syntax === undefined ? {} : { condition_syntax: syntax };
};

/** The member of a compliance policy with these texts that names their syntax. */
export const toPolicySyntax = ({
  asset_filter,
  richness_assertions,
}: Pick<PolicyContent, 'asset_filter' | 'richness_assertions'>): { condition_syntax?: ConditionSyntax } =>
  toSyntaxMember({ lists: asset_filter, parse: parseCondition }, { lists: richness_assertions, parse: parseAssertion });

// Numbers have always been ordered as numbers.
const needsOrder = (text: string): boolean => {
  const assertion = parseAssertion(text, NEWEST_SYNTAX);
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
 * @param isEarlier whether a text is one of the earlier policy; another one stays as it is.
 */
export const restateLists = <T>(
  lists: readonly Alternatives[],
  parse: ParseText<T>,
  write: (parts: T) => string,
  isEarlier: (text: string) => boolean = () => true,
): Alternatives[] =>
  lists.map(({ or }) => ({
    or: or.flatMap((text) => {
      const isSame = isReadAlike(parse, text, undefined, 'escaped') && findReadings(text) === undefined;
      if (isSame || !isEarlier(text)) return [text];
      const read = parse(text, undefined);
      return read === undefined ? [] : [write(read)];
    }),
  }));

type PolicyLists = Pick<PolicyContent, 'asset_filter' | 'richness_assertions'>;

/** Lists of a compliance policy of an earlier version as texts of the escaped syntax with the same meaning. */
export const restatePolicyLists = ({ asset_filter, richness_assertions }: PolicyLists): PolicyLists => ({
  asset_filter: restateLists(asset_filter, parseCondition, writeCondition),
  richness_assertions: restateLists(richness_assertions, parseAssertion, writeAssertion),
});

// Checks of lists of alternatives: the asset filters and assertions of policies, and what else policies have of this
// form.
import type { FieldViolation } from '../errors.ts';
import { type Alternatives, NEWEST_SYNTAX } from '../records/policy.ts';
import { parseCondition } from './assetFilter.ts';
import { findReadings } from './escapes.ts';
import { findMistake } from './policyText.ts';

/** Most lists of a policy, and most texts of each list. */
const ALTERNATIVES_MAX = 100;
/** Most conditions of a policy in all its lists, and most assertions. */
const TEXTS_MAX = 1_000;
/** Most characters (UTF-16 code units) of all conditions of a policy together, and of all assertions. */
export const LISTS_CHARACTERS_MAX = 32_768;
/** Most code points of each text of a policy. */
const TEXT_CHARACTERS_MAX = 4096;

const TOO_LONG = `must have at most ${TEXT_CHARACTERS_MAX} characters`;

/** Why a text of a policy is too long; undefined if it isn't. */
export const findTooLong = (text: string): string | undefined =>
  text.length > TEXT_CHARACTERS_MAX && [...text].length > TEXT_CHARACTERS_MAX ? TOO_LONG : undefined;

/** Lists of texts in one field of a policy. */
export interface TextLists {
  readonly field: string;
  /** Why a text that is not too long is wrong; undefined if it isn't. */
  findWrong(text: string): string | undefined;
}

const CONDITION = 'must be attributes.<name>, then = or : or !=, then a value or *';

/** Why a text has two meanings, with both as texts that have one; undefined if it has one. */
export const findTwoMeanings = (text: string): string | undefined => {
  const readings = findReadings(text);
  return readings && `has two readings, as : comes before =; write ${readings.join(' or ')}`;
};

/**
 * Why a text is no condition of an asset filter, has two meanings, or is evidently a mistake (decisions 40 and 53);
 * undefined if it is neither.
 */
export const findWrongCondition = (text: string): string | undefined => {
  const condition = parseCondition(text, NEWEST_SYNTAX);
  if (condition === undefined) return CONDITION;
  return findTwoMeanings(text) ?? findMistake(text, { name: condition.name, value: condition.value ?? '*' });
};

const findWrongTexts = ({ findWrong }: TextLists, list: string, texts: readonly string[]): FieldViolation[] =>
  texts.flatMap((text, index) => {
    const description = findTooLong(text) ?? findWrong(text);
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

/** The texts of these lists that are wrong, or the first list or field that has too many of them, or none. */
export const findWrongLists = (of: TextLists, lists: readonly Alternatives[]): FieldViolation[] => {
  const { field } = of;
  const size = `must have at most ${ALTERNATIVES_MAX} items`;
  if (lists.length > ALTERNATIVES_MAX) return [{ field, description: size }];
  const tooMuch = findTooMuch(field, lists);
  if (tooMuch.length > 0) return tooMuch;
  return lists.flatMap(({ or }, index) => {
    const list = `${field}/${index}/or`;
    if (or.length === 0) return [{ field: list, description: 'must not be empty' }];
    return or.length > ALTERNATIVES_MAX ? [{ field: list, description: size }] : findWrongTexts(of, list, or);
  });
};

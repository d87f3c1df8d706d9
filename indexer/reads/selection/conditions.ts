// Conditions on one member of a collection, as terms that it must or must not have. They select from posting lists and
// apply to uncommitted records alike.
import type { AttributeCondition } from '../../../ledger/compliance/assetFilter.ts';
import { splitPath } from '../../../ledger/records/attributePaths.ts';
import type { Collection } from '../../keys.ts';
import type { AttributeFilter, FieldFilter } from '../../ledgerView.ts';
import {
  attributeTerm,
  fieldTerm,
  memberPresenceTerm,
  memberTerm,
  presenceTerm,
} from '../../projection/terms/termNames.ts';

/** Terms that a member must and must not have. */
export interface Conditions {
  /** Terms that a member must have. */
  readonly all: readonly string[];
  /** Lists of terms, of each of which a member must have one. */
  readonly any?: readonly (readonly string[])[];
  /** Terms that a member must not have. */
  readonly none: readonly string[];
}

/** A term, and the name of the attribute that gives it to a member. */
export interface NamedTerm {
  readonly name: string;
  readonly term: string;
}

/** The terms of which a member has one if an attribute map of it meets a condition that isn't denied. */
export const toAttributeTerms = (
  collection: Collection,
  map: string,
  { name, isPath, value }: Pick<AttributeCondition, 'name' | 'isPath' | 'value'>,
): [NamedTerm, ...NamedTerm[]] => {
  const ofMember = (of: ReturnType<typeof splitPath>[number]): string =>
    value === undefined ? memberPresenceTerm(collection, map, of) : memberTerm(collection, map, of, value);
  const term = value === undefined ? presenceTerm(collection, map, name) : attributeTerm(collection, map, name, value);
  const splits = isPath === true ? splitPath(name) : [];
  return [{ name, term }, ...splits.map((of) => ({ name: of.attribute, term: ofMember(of) }))];
};

/** A filter as terms of which a member must have one, or none. */
export interface FilterTerms {
  readonly terms: readonly [NamedTerm, ...NamedTerm[]];
  readonly isDenied: boolean;
}

/** The terms of a filter of a list. */
export const toFilterTerms = (collection: Collection, { map, name, is, value }: AttributeFilter): FilterTerms => {
  const isAny = is === 'present' || is === 'absent';
  const terms = toAttributeTerms(collection, map, { name, isPath: true, value: isAny ? undefined : value });
  return { terms, isDenied: is === 'different' || is === 'absent' };
};

/** Conditions that are met if all filters match. */
export const addFilters = (conditions: Conditions, filters: readonly FilterTerms[]): Conditions => {
  const required = filters.filter(({ isDenied }) => !isDenied).map(({ terms }) => terms.map(({ term }) => term));
  const denied = filters.filter(({ isDenied }) => isDenied).flatMap(({ terms }) => terms.map(({ term }) => term));
  const any = [...(conditions.any ?? []), ...required.filter(({ length }) => length > 1)];
  return {
    all: [...conditions.all, ...required.filter(({ length }) => length === 1).flat()],
    ...(any.length > 0 && { any }),
    none: [...conditions.none, ...denied],
  };
};

/** The conditions that are met if all filters match. */
export const toConditions = (
  collection: Collection,
  filters: { readonly attributes: readonly AttributeFilter[]; readonly fields: readonly FieldFilter[] },
): Conditions => {
  const all = filters.fields.map(({ field, value }) => fieldTerm(collection, field, value));
  return addFilters(
    { all, none: [] },
    filters.attributes.map((filter) => toFilterTerms(collection, filter)),
  );
};

/** Conditions that also require terms. */
export const requireTerms = (conditions: Conditions, ...terms: readonly string[]): Conditions => ({
  ...conditions,
  all: [...terms, ...conditions.all],
});

/** Whether a member with these terms meets the conditions. */
export const meetsConditions = ({ all, any = [], none }: Conditions, terms: readonly string[]): boolean => {
  const own = new Set(terms);
  const has = (term: string): boolean => own.has(term);
  return all.every(has) && any.every((alternatives) => alternatives.some(has)) && !none.some(has);
};

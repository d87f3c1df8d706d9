// Conditions on one member of a collection, as terms that it must or must not have. They select from posting lists and
// apply to uncommitted records alike.
import type { Collection } from '../../keys.ts';
import type { AttributeFilter, FieldFilter } from '../../ledgerView.ts';
import { attributeTerm, fieldTerm, presenceTerm } from '../../projection/terms.ts';

/** Terms that a member must and must not have. */
export interface Conditions {
  /** Terms that a member must have. */
  readonly all: readonly string[];
  /** Terms that a member must not have. */
  readonly none: readonly string[];
}

const toTerm = (collection: Collection, { map, name, is, value }: AttributeFilter): string =>
  is === 'present' || is === 'absent'
    ? presenceTerm(collection, map, name)
    : attributeTerm(collection, map, name, value);

const isPositive = ({ is }: AttributeFilter): boolean => is === 'equal' || is === 'present';

/** The conditions that are met if all filters match. */
export const toConditions = (
  collection: Collection,
  filters: { readonly attributes: readonly AttributeFilter[]; readonly fields: readonly FieldFilter[] },
): Conditions => {
  const terms = (attributes: readonly AttributeFilter[]) => attributes.map((filter) => toTerm(collection, filter));
  return {
    all: [
      ...filters.fields.map(({ field, value }) => fieldTerm(collection, field, value)),
      ...terms(filters.attributes.filter(isPositive)),
    ],
    none: terms(filters.attributes.filter((filter) => !isPositive(filter))),
  };
};

/** Whether a member with these terms meets the conditions. */
export const meetsConditions = ({ all, none }: Conditions, terms: readonly string[]): boolean => {
  const own = new Set(terms);
  return all.every((term) => own.has(term)) && !none.some((term) => own.has(term));
};

// The grants of a reader, prepared for pages of many assets: what several grants have in common is looked at once.

import type { Attributes } from '../../../ledger/records/attributes.ts';
import { type AssetFilters, type Grant, matchesAsset, type Names } from '../../../ledger/sharing/grants.ts';

/** Grants of one tenant for one reader. */
export interface GrantSet {
  /** Another number for each set. */
  readonly id: number;
  readonly grants: readonly Grant[];
  /** The display types that grants name, each once. */
  readonly types: readonly string[];
  /** The lists of names of attributes in the grants, each once. */
  readonly nameLists: readonly Names[];
  /** The filters of the grants, each once. */
  readonly filters: readonly AssetFilters[];
  /** What each grant has, in the order of the grants. */
  readonly parts: readonly GrantParts[];
}

/** What a grant has, by the places in its set. */
interface GrantParts {
  readonly filter: number;
  readonly nameList: number;
  readonly types: 'all' | readonly number[];
}

/** The place of each distinct value, found by its name. */
const createPlaces = <T>(toName: (value: T) => string) => {
  const places = new Map<string, number>();
  const values: T[] = [];
  const placeOf = (value: T): number => {
    const name = toName(value);
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, values.length);
    return values.push(value) - 1;
  };
  return { values, placeOf };
};

const toNameOfNames = (names: Names): string => (names === 'all' ? names : JSON.stringify([...names].sort()));

let count = 0;

const createGrantSet = (grants: readonly Grant[]): GrantSet => {
  const types = createPlaces((type: string) => type);
  const nameLists = createPlaces(toNameOfNames);
  const filters = createPlaces((each: AssetFilters) => JSON.stringify(each));
  const parts = grants.map((grant) => ({
    filter: filters.placeOf(grant.filters),
    nameList: nameLists.placeOf(grant.attributesRead),
    types: grant.typesRead === 'all' ? grant.typesRead : [...grant.typesRead].map(types.placeOf),
  }));
  count += 1;
  return { id: count, grants, types: types.values, nameLists: nameLists.values, filters: filters.values, parts };
};

const known = new WeakMap<readonly Grant[], GrantSet>();

/** The set of these grants: the same one for the same array. */
export const toGrantSet = (grants: readonly Grant[]): GrantSet => {
  const set = known.get(grants) ?? createGrantSet(grants);
  known.set(grants, set);
  return set;
};

/** For each filter of the set, whether it matches an asset with these attributes. */
export const matchFilters = ({ filters }: GrantSet, attributes: Attributes): boolean[] =>
  filters.map((each) => matchesAsset({ filters: each }, attributes));

// The grants of a reader, prepared for pages of many assets: what several grants have in common is looked at once.
import type { Attributes } from '../../../ledger/records/attributes.ts';
import { type AssetFilters, type Grant, matchesAsset, type Names } from '../../../ledger/sharing/grants.ts';
import { nameOfFilters } from './matchedAssets.ts';

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
  /** What the grants permit to read, each once. */
  readonly kinds: readonly GrantKind[];
  /** What each grant has, in the order of the grants: the places of its filter and of its kind. */
  readonly parts: readonly { readonly filter: number; readonly kind: number }[];
}

/** What a grant permits to read, by the places in its set. */
interface GrantKind {
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

const namesOfNames = new WeakMap<ReadonlySet<string>, string>();

// Most grants of a set have been in another one before.
const nameOfNames = (names: Names): string => {
  if (names === 'all') return names;
  const name = namesOfNames.get(names) ?? JSON.stringify([...names].sort());
  namesOfNames.set(names, name);
  return name;
};

let count = 0;

const createGrantSet = (grants: readonly Grant[]): GrantSet => {
  // In an order of their own: what is counted by types is kept as long as grants name the same ones.
  const named = grants.flatMap(({ typesRead }) => (typesRead === 'all' ? [] : [...typesRead]));
  const types = createPlaces((type: string) => type);
  for (const type of [...new Set(named)].sort()) types.placeOf(type);
  const nameLists = createPlaces(nameOfNames);
  const filters = createPlaces(nameOfFilters);
  const kinds = createPlaces((kind: GrantKind) => `${kind.nameList} ${kind.types}`);
  const toKind = ({ attributesRead, typesRead }: Grant): GrantKind => ({
    nameList: nameLists.placeOf(attributesRead),
    types: typesRead === 'all' ? typesRead : [...typesRead].map(types.placeOf),
  });
  const parts = grants.map((grant) => ({ filter: filters.placeOf(grant.filters), kind: kinds.placeOf(toKind(grant)) }));
  count += 1;
  return {
    id: count,
    grants,
    types: types.values,
    nameLists: nameLists.values,
    filters: filters.values,
    kinds: kinds.values,
    parts,
  };
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

// The assets that the filters of access policies match, chunk by chunk: filters are posting lists, so no asset is read.
// What was found is kept in memory until the lists of the chunk change.
import type { AttributeCondition } from '../../../ledger/compliance/assetFilter.ts';
import type { AssetFilters } from '../../../ledger/sharing/grants.ts';
import * as keys from '../../keys.ts';
import { allBelow, type Bits, CHUNK_NUMBERS, createBits, intersect, unite } from '../../rows/bits.ts';
import { decodePosting } from '../../rows/postings.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { toAttributeTerms } from '../selection/conditions.ts';
import { readCount } from '../selection/selection.ts';
import { readAssetChange } from './changedAssets.ts';

interface KnownBits {
  /** The row `assetChanges` of the chunk when the bits were computed. */
  readonly changedBy: number;
  readonly bits: Bits;
}

/** Bytes of what is kept: the matches of 100 filters among some 400,000 assets. */
const KEPT_BYTES_MAX = 64 * 2 ** 20;
const ENTRY_BYTES = CHUNK_NUMBERS / 8 + 200;

const keptOf = createGenerationCache<KnownBits>(KEPT_BYTES_MAX);

const toTerms = (condition: AttributeCondition): string[] =>
  toAttributeTerms('assets', 'attributes', condition).map(({ term }) => term);

const readLists = async (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  terms: ReadonlySet<string>,
  chunk: number,
): Promise<ReadonlyMap<string, Bits>> => {
  const names = [...terms];
  const rows = await snapshot.readMany(names.map((term) => keys.postingKey(tenantKey, term, chunk)));
  return new Map(
    rows.flatMap((row, at) => (row === undefined ? [] : [[names[at]!, decodePosting(row as Uint8Array)] as const])),
  );
};

/** An asset has one of the terms, or none if the condition is denied. */
interface ConditionTerms {
  readonly terms: readonly string[];
  readonly isDenied: boolean;
}

const filterTerms = new WeakMap<AssetFilters, readonly (readonly ConditionTerms[])[]>();

const termsOf = (filters: AssetFilters): readonly (readonly ConditionTerms[])[] => {
  const known = filterTerms.get(filters);
  if (known !== undefined) return known;
  const terms = filters.map((list) =>
    list.map((condition) => ({ terms: toTerms(condition), isDenied: condition.isDenied })),
  );
  filterTerms.set(filters, terms);
  return terms;
};

const NONE = createBits();

const uniteLists = (lists: ReadonlyMap<string, Bits>, [first, ...others]: readonly string[]): Bits => {
  const listed = lists.get(first!) ?? NONE;
  if (others.length === 0) return listed;
  const united = listed.slice();
  for (const term of others) unite(united, lists.get(term) ?? NONE);
  return united;
};

const uniteMeeting = (any: Bits, listed: Bits, isDenied: boolean): void => {
  if (!isDenied) unite(any, listed);
  else for (let word = 0; word < any.length; word += 1) any[word]! |= ~listed[word]!;
};

const match = (all: Bits, lists: ReadonlyMap<string, Bits>, filters: AssetFilters): Bits => {
  const matching = all.slice();
  for (const alternatives of termsOf(filters)) {
    const any = createBits();
    for (const { terms, isDenied } of alternatives) uniteMeeting(any, uniteLists(lists, terms), isDenied);
    intersect(matching, any);
  }
  return matching;
};

const filterNames = new WeakMap<AssetFilters, string>();

/** A text that is the same for the same filters. */
export const nameOfFilters = (filters: AssetFilters): string => {
  const name = filterNames.get(filters) ?? JSON.stringify(filters);
  filterNames.set(filters, name);
  return name;
};

/** Finds the assets of one chunk that each of several filters matches. The sets must not be changed. */
export type MatchAssets = (chunk: number) => Promise<readonly Bits[]>;

// Filters are each given once.
const createMatchDistinct = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  filters: readonly AssetFilters[],
): MatchAssets => {
  const kept = keptOf(snapshot);
  const assetCount = readCount(snapshot, { tenantKey, collection: 'assets' });
  const toNames = (): string[] => filters.map((each) => `${keys.toKeyName(tenantKey)} ${nameOfFilters(each)}`);
  let named: readonly string[] | undefined;
  return async (chunk) => {
    named ??= toNames();
    const names = named;
    const changedBy = readAssetChange(snapshot, tenantKey, chunk);
    const known = names.map((name) => kept.get(`${chunk} ${name}`));
    const isKnown = (at: number): boolean => known[at]?.changedBy === changedBy;
    const terms = new Set(
      filters.flatMap((each, at) =>
        isKnown(at) ? [] : termsOf(each).flatMap((list) => list.flatMap(({ terms: some }) => some)),
      ),
    );
    const lists = await readLists(snapshot, tenantKey, terms, chunk);
    const all = allBelow(chunk, assetCount);
    return filters.map((each, at) => {
      if (isKnown(at)) return known[at]!.bits;
      const bits = match(all, lists, each);
      kept.set(`${chunk} ${names[at]}`, { changedBy, bits }, ENTRY_BYTES + 2 * names[at]!.length);
      return bits;
    });
  };
};

/**
 * Returns the function that finds the assets of a tenant that filters match, in the order of the filters. Filters that
 * several grants share are matched once.
 */
export const createMatchAssets = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  filters: readonly AssetFilters[],
): MatchAssets => {
  const distinct = [...new Set(filters)];
  const places = new Map(distinct.map((each, at) => [each, at]));
  const matchDistinct = createMatchDistinct(snapshot, tenantKey, distinct);
  return async (chunk) => {
    const matched = await matchDistinct(chunk);
    return filters.map((each) => matched[places.get(each)!]!);
  };
};

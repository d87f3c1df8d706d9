// Locations: the newest version of each, the index with the uncommitted versions over it.
import { toKey } from '../ledger/identity.ts';
import type { LocationRecord } from '../ledger/locationRecord.ts';
import { type LocationResource, toLocationResource } from '../ledger/resources.ts';
import { type Conditions, meets, toConditions } from './conditions.ts';
import * as keys from './keys.ts';
import type { LocationQuery, Page, PageQuery } from './ledgerView.ts';
import { readPageByName } from './locationNames.ts';
import { readNewestPage, type UncommittedItem } from './newestPage.ts';
import { type Overlay, toNumberSet, withOverlay } from './overlay.ts';
import { readMembers } from './recordReads.ts';
import type { LocationRow } from './rows.ts';
import { select } from './selection.ts';
import type { Snapshot } from './store.ts';
import { locationTerms } from './terms.ts';
import { pending, type UncommittedRecord } from './uncommitted.ts';

type UncommittedLocation = UncommittedRecord<LocationRecord>;

export interface LocationSource {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  /** Oldest first. */
  readonly uncommitted: readonly UncommittedLocation[];
}

export interface ChangedLocation {
  readonly location: LocationResource;
  readonly number: number | undefined;
  readonly sequence: number;
}

const readRow = (snapshot: Snapshot, tenantIdentity: string, identity: string): LocationRow | undefined =>
  snapshot.read(keys.locationKey(toKey(tenantIdentity), toKey(identity))) as LocationRow | undefined;

/** A location as its newest version says; a version that the chain refused says nothing. */
export const readLocation = (
  { snapshot, tenantIdentity, uncommitted }: LocationSource,
  identity: string,
): LocationResource | undefined => {
  const waiting = pending(uncommitted).at(-1);
  const record = waiting?.record ?? readRow(snapshot, tenantIdentity, identity)?.record;
  return record && toLocationResource(record);
};

const toChanged = (
  { snapshot, tenantIdentity }: LocationSource,
  identity: string,
  entries: readonly UncommittedLocation[],
): ChangedLocation[] => {
  const newest = pending(entries).at(-1);
  const number = readRow(snapshot, tenantIdentity, identity)?.number;
  // The place in the list is that of the first version, also where the chain refused it.
  return newest === undefined
    ? []
    : [{ location: toLocationResource(newest.record), number, sequence: entries[0]!.sequence }];
};

const readChanged = (source: LocationSource): ChangedLocation[] =>
  [...Map.groupBy(source.uncommitted, ({ streamIdentity }) => streamIdentity)].flatMap(([identity, entries]) =>
    toChanged(source, identity, entries),
  );

/** A list of locations, and what uncommitted versions change in it. */
export interface LocationList {
  readonly source: LocationSource;
  readonly tenantKey: Uint8Array;
  readonly conditions: Conditions;
  /** Locations with uncommitted versions; and those of them that meet the conditions. */
  readonly changed: readonly ChangedLocation[];
  readonly matching: readonly ChangedLocation[];
}

const toList = (source: LocationSource, query: LocationQuery): LocationList => {
  const conditions = toConditions('locations', query);
  const changed = readChanged(source);
  const matching = changed.filter(({ location }) => meets(conditions, locationTerms(location)));
  return { source, tenantKey: toKey(source.tenantIdentity), conditions, changed, matching };
};

/** Numbers of those that are in the index. */
export const numbersOf = (changed: readonly ChangedLocation[]): number[] =>
  changed.flatMap(({ number }) => (number === undefined ? [] : [number]));

/** Locations of the index that meet the conditions, without regard to uncommitted versions. */
export const selectIndexed = ({ source, tenantKey, conditions }: LocationList, to: number) =>
  select(source.snapshot, { tenantKey, collection: 'locations', conditions }, { from: 0, to, isNewestFirst: true });

/** Locations by their numbers. */
export const readItems = async (
  { source, tenantKey, changed }: LocationList,
  numbers: readonly number[],
): Promise<LocationResource[]> => {
  const rows = await readMembers(source.snapshot, { tenantKey, collection: 'locations' }, numbers, keys.locationKey);
  const overlaid = new Map(changed.map(({ location }) => [location.identity, location]));
  return (rows as LocationRow[])
    .map(({ record }) => toLocationResource(record))
    .map((location) => overlaid.get(location.identity) ?? location);
};

const readNewest = (list: LocationList, page: PageQuery): Promise<Page<LocationResource>> => {
  const overlay: Overlay = {
    changed: toNumberSet(numbersOf(list.changed)),
    matching: toNumberSet(numbersOf(list.matching)),
  };
  const created = list.matching.filter(({ number }) => number === undefined);
  const toItem = ({ sequence, location }: ChangedLocation): UncommittedItem<LocationResource> => ({
    sequence,
    isPending: true,
    identity: location.identity,
    item: location,
  });
  return readNewestPage(
    {
      uncommitted: created.map(toItem).reverse(),
      select: (to) => withOverlay(selectIndexed(list, to), overlay),
      readNumber: (identity) => readRow(list.source.snapshot, list.source.tenantIdentity, identity)?.number,
      readItems: (numbers) => readItems(list, numbers),
    },
    page,
  );
};

/** One page of the tenant's locations. */
export const listLocations = (
  source: LocationSource,
  query: LocationQuery,
  page: PageQuery,
): Promise<Page<LocationResource>> => {
  const list = toList(source, query);
  return query.order === 'displayName' ? readPageByName(list, page) : readNewest(list, page);
};

// Members of a named collection: the newest version of each, the index with the uncommitted versions over it.
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { AttributeFilter, FieldFilter, Page, PageQuery } from '../ledgerView.ts';
import type { Named, NamedCollection, NamedRecord } from '../projection/namedCollections.ts';
import { PRESENT } from '../projection/terms.ts';
import type { NamedRow } from '../rows/rows.ts';
import type { Snapshot } from '../store.ts';
import { readPageByName } from './nameOrder.ts';
import { readNewestPage, type UncommittedItem } from './newestPage.ts';
import { type Overlay, toNumberSet, withOverlay } from './overlay.ts';
import { readLongMembers } from './recordReads.ts';
import { type Conditions, meets, toConditions } from './selection/conditions.ts';
import { select } from './selection/selection.ts';
import { pending, type UncommittedRecord } from './uncommitted.ts';

export interface NamedSource<R extends NamedRecord, T extends Named> {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  readonly of: NamedCollection<R, T>;
  /** Oldest first. */
  readonly uncommitted: readonly UncommittedRecord<R>[];
}

/** A member with uncommitted versions. */
export interface ChangedNamed<T extends Named> {
  /** As the newest of them says; undefined when it takes the member back. */
  readonly resource: T | undefined;
  readonly number: number | undefined;
  readonly sequence: number;
}

export interface NamedQuery {
  readonly attributes: readonly AttributeFilter[];
  readonly fields: readonly FieldFilter[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

const readRow = <R extends NamedRecord, T extends Named>(
  { snapshot, tenantIdentity, of }: NamedSource<R, T>,
  identity: string,
): NamedRow<R> | undefined =>
  snapshot.read(keys.namedKey(toKey(tenantIdentity), of.collection, toKey(identity))) as NamedRow<R> | undefined;

/** A member as its newest version says; a version that the chain refused says nothing. */
export const readNamed = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  identity: string,
): T | undefined => {
  const record = pending(source.uncommitted).at(-1)?.record ?? readRow(source, identity)?.record;
  return record && source.of.toResource(record);
};

const toChanged = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  identity: string,
  entries: readonly UncommittedRecord<R>[],
): ChangedNamed<T>[] => {
  const newest = pending(entries).at(-1);
  if (newest === undefined) return [];
  const resource = source.of.toResource(newest.record);
  // The place in the list is that of the first version, also where the chain refused it.
  return [{ resource, number: readRow(source, identity)?.number, sequence: entries[0]!.sequence }];
};

const readChanged = <R extends NamedRecord, T extends Named>(source: NamedSource<R, T>): ChangedNamed<T>[] =>
  [...Map.groupBy(source.uncommitted, ({ streamIdentity }) => streamIdentity)].flatMap(([identity, entries]) =>
    toChanged(source, identity, entries),
  );

/** A member as uncommitted versions leave it. */
export interface MatchingNamed<T extends Named> extends ChangedNamed<T> {
  readonly resource: T;
}

/** A list of members, and what uncommitted versions change in it. */
export interface NamedList<R extends NamedRecord, T extends Named> {
  readonly source: NamedSource<R, T>;
  readonly tenantKey: Uint8Array;
  readonly conditions: Conditions;
  /** Members with uncommitted versions; and those of them that meet the conditions. */
  readonly changed: readonly ChangedNamed<T>[];
  readonly matching: readonly MatchingNamed<T>[];
}

const toList = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  query: NamedQuery,
): NamedList<R, T> => {
  const { all, none } = toConditions(source.of.collection, query);
  const conditions = { all: [PRESENT[source.of.collection], ...all], none };
  const changed = readChanged(source);
  const isMatching = (each: ChangedNamed<T>): each is MatchingNamed<T> =>
    each.resource !== undefined && meets(conditions, source.of.toTerms(each.resource));
  return {
    source,
    tenantKey: toKey(source.tenantIdentity),
    conditions,
    changed,
    matching: changed.filter(isMatching),
  };
};

/** Numbers of those that are in the index. */
export const numbersOf = (changed: readonly Pick<ChangedNamed<Named>, 'number'>[]): number[] =>
  changed.flatMap(({ number }) => (number === undefined ? [] : [number]));

/** Members of the index that meet the conditions, without regard to uncommitted versions. */
export const selectIndexed = <R extends NamedRecord, T extends Named>(
  { source, tenantKey, conditions }: NamedList<R, T>,
  to: number,
) =>
  select(
    source.snapshot,
    { tenantKey, collection: source.of.collection, conditions },
    { from: 0, to, isNewestFirst: true },
  );

/** Reads of members by their numbers: each is decoded when it is asked for. */
export const readItems = async <R extends NamedRecord, T extends Named>(
  { source, tenantKey, changed }: NamedList<R, T>,
  numbers: readonly number[],
): Promise<(() => T)[]> => {
  const { collection, toResource } = source.of;
  const toRowKey = (key: Uint8Array, streamKey: Uint8Array) => keys.namedKey(key, collection, streamKey);
  const rows = await readLongMembers(source.snapshot, { tenantKey, collection, numbers }, toRowKey);
  const overlaid = new Map(changed.map(({ resource }) => [resource?.identity, resource]));
  return rows.map((decode) => () => {
    const { record } = decode() as NamedRow<R>;
    return overlaid.get(toStreamIdentityOf(record)) ?? toResource(record)!;
  });
};

const readNewest = <R extends NamedRecord, T extends Named>(
  list: NamedList<R, T>,
  page: PageQuery,
): Promise<Page<() => T>> => {
  const overlay: Overlay = {
    changed: toNumberSet(numbersOf(list.changed)),
    matching: toNumberSet(numbersOf(list.matching)),
  };
  const created = list.matching.filter(({ number }) => number === undefined);
  const toItem = ({ sequence, resource }: MatchingNamed<T>): UncommittedItem<() => T> => ({
    sequence,
    isPending: true,
    identity: resource.identity,
    item: () => resource,
  });
  return readNewestPage(
    {
      uncommitted: created.map(toItem).reverse(),
      select: (to) => withOverlay(selectIndexed(list, to), overlay),
      readNumber: (identity) => readRow(list.source, identity)?.number,
      readItems: (numbers) => readItems(list, numbers),
    },
    page,
  );
};

/** One page of the tenant's members of a named collection, the newest first, each of which is decoded when it is asked for. */
export const listStored = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  page: PageQuery,
): Promise<Page<() => T>> => readNewest(toList(source, { attributes: [], fields: [], order: 'newest' }), page);

/** One page of the tenant's members of a named collection. */
export const listNamed = async <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  query: NamedQuery,
  page: PageQuery,
): Promise<Page<T>> => {
  const list = toList(source, query);
  if (query.order === 'displayName') return readPageByName(list, page);
  const stored = await readNewest(list, page);
  return { ...stored, items: stored.items.map((decode) => decode()) };
};

// Lists of members of a named collection: which members of the index meet a query, and which of them have uncommitted
// versions.
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import * as keys from '../keys.ts';
import type { AttributeFilter, FieldFilter } from '../ledgerView.ts';
import type { Named, NamedCollection } from '../projection/namedCollections.ts';
import { PRESENT } from '../projection/terms.ts';
import type { NamedRecord, NamedRow } from '../rows/rows.ts';
import type { Snapshot } from '../snapshots.ts';
import { readLongMembers } from './recordReads.ts';
import { type Conditions, meetsConditions, requireTerms, toConditions } from './selection/conditions.ts';
import { select } from './selection/selection.ts';
import { pending, type UncommittedRecord, withoutConflicts } from './uncommitted.ts';

/** What the members of a named collection are read from. */
export interface NamedSource<R extends NamedRecord, T extends Named> {
  readonly snapshot: Snapshot;
  readonly tenantIdentity: string;
  readonly of: NamedCollection<R, T>;
  /** Oldest first. */
  readonly uncommitted: readonly UncommittedRecord<R>[];
}

/** A member with uncommitted versions. */
export interface ChangedNamed<T extends Named> {
  /** The resource of the newest of them; undefined if it deletes the member. */
  readonly resource: T | undefined;
  /** Its number; undefined if no version is in the index. */
  readonly number: number | undefined;
  /** When its first uncommitted version was accepted, in milliseconds since the epoch. */
  readonly firstMs: number;
}

/** Which members to list: those that meet all conditions. */
export interface NamedQuery {
  readonly attributes: readonly AttributeFilter[];
  readonly fields: readonly FieldFilter[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

/** The row of a member; undefined if the index has no member with this identity. */
export const readNamedRow = <R extends NamedRecord, T extends Named>(
  { snapshot, tenantIdentity, of }: NamedSource<R, T>,
  identity: string,
): NamedRow<R> | undefined =>
  snapshot.read(keys.namedKey(toKey(tenantIdentity), of.collection, toKey(identity))) as NamedRow<R> | undefined;

const toChanged = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  identity: string,
  entries: readonly UncommittedRecord<R>[],
): ChangedNamed<T>[] => {
  const row = readNamedRow(source, identity);
  const versions = withoutConflicts(entries, row?.record);
  const newest = pending(versions).at(-1);
  if (newest === undefined) return [];
  const resource = source.of.toResource(newest.record);
  // A member's place in the list is that of its first version, even if the chain refused that version.
  return [{ resource, number: row?.number, firstMs: Date.parse(versions[0]!.record.timestamp_accepted) }];
};

const readChanged = <R extends NamedRecord, T extends Named>(source: NamedSource<R, T>): ChangedNamed<T>[] =>
  [...Map.groupBy(source.uncommitted, ({ streamIdentity }) => streamIdentity)].flatMap(([identity, entries]) =>
    toChanged(source, identity, entries),
  );

/** A member that uncommitted versions change and do not delete. */
export interface MatchingNamed<T extends Named> extends ChangedNamed<T> {
  readonly resource: T;
}

/** A list of members: the conditions, and the members with uncommitted versions. */
export interface NamedList<R extends NamedRecord, T extends Named> {
  readonly source: NamedSource<R, T>;
  readonly tenantKey: Uint8Array;
  readonly conditions: Conditions;
  /** The members with uncommitted versions. */
  readonly changed: readonly ChangedNamed<T>[];
  /** Those of them that meet the conditions. */
  readonly matching: readonly MatchingNamed<T>[];
}

/** The list that a query describes. */
export const toNamedList = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  query: NamedQuery,
): NamedList<R, T> => {
  const conditions = requireTerms(toConditions(source.of.collection, query), PRESENT[source.of.collection]);
  const changed = readChanged(source);
  const isMatching = (each: ChangedNamed<T>): each is MatchingNamed<T> =>
    each.resource !== undefined && meetsConditions(conditions, source.of.toTerms(each.resource));
  return {
    source,
    tenantKey: toKey(source.tenantIdentity),
    conditions,
    changed,
    matching: changed.filter(isMatching),
  };
};

/** The numbers of those that are in the index. */
export const numbersOf = (changed: readonly Pick<ChangedNamed<Named>, 'number'>[]): number[] =>
  changed.flatMap(({ number }) => (number === undefined ? [] : [number]));

/**
 * Selects the members of the index with numbers below `to` and of at least `from` that meet the conditions, regardless
 * of uncommitted versions.
 */
export const selectIndexed = <R extends NamedRecord, T extends Named>(
  { source, tenantKey, conditions }: NamedList<R, T>,
  to: number,
  from = 0,
) =>
  select(
    source.snapshot,
    { tenantKey, collection: source.of.collection, conditions },
    { from, to, isNewestFirst: true },
  );

/** Reads members by their numbers. Each is decoded only when its function is called. */
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

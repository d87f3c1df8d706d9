// Reads of the members of a named collection: the newest version of each, from the index and the uncommitted versions.
import type { Page, PageQuery } from '../ledgerView.ts';
import type { Named } from '../projection/namedCollections.ts';
import type { NamedRecord } from '../rows/rows.ts';
import {
  type MatchingNamed,
  type NamedList,
  type NamedQuery,
  type NamedSource,
  numbersOf,
  readItems,
  readNamedRow,
  selectIndexed,
  toNamedList,
} from './namedList.ts';
import { readNamedPlaces } from './namedPlaces.ts';
import { readPageByName } from './namePage.ts';
import { type NewestList, readNewestPage, type UncommittedItem } from './newestPage.ts';
import { type Overlay, toNumberSet, withOverlay } from './overlay.ts';
import { numbersFrom } from './selection/countedSelection.ts';
import { readCount } from './selection/selection.ts';
import { newestVersion } from './uncommitted.ts';

/**
 * The newest version of a member, without versions that the chain refused; undefined if the member does not exist or is
 * deleted.
 */
export const readNewestNamed = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  identity: string,
): R | undefined => {
  const record = newestVersion(source.uncommitted, readNamedRow(source, identity)?.record);
  return record === undefined || source.of.toResource(record) === undefined ? undefined : record;
};

/** A member in its newest version, as `readNewestNamed` finds it. */
export const readNamed = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  identity: string,
): T | undefined => {
  const record = readNewestNamed(source, identity);
  return record && source.of.toResource(record);
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
  const toItem = ({ firstMs, resource }: MatchingNamed<T>): UncommittedItem<() => T> => ({
    place: { atMs: firstMs, identity: resource.identity },
    toItem: () => () => resource,
  });
  const { source, tenantKey } = list;
  const selectFrom: NewestList<never>['select'] = (to, from) => withOverlay(selectIndexed(list, to, from), overlay);
  return readNewestPage(
    {
      uncommitted: created.map(toItem),
      select: selectFrom,
      readCount: () => readCount(source.snapshot, { tenantKey, collection: source.of.collection }),
      findCommitted: async (from) =>
        readNamedPlaces(list, await numbersFrom(selectFrom(Number.POSITIVE_INFINITY, from), from)),
      readItems: (numbers) => readItems(list, numbers),
    },
    page,
  );
};

/**
 * One page of the tenant's members of a named collection, newest first, each decoded only when its function is called.
 */
export const listStored = <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  page: PageQuery,
): Promise<Page<() => T>> => readNewest(toNamedList(source, { attributes: [], fields: [], order: 'newest' }), page);

/** One page of the tenant's members of a named collection. */
export const listNamed = async <R extends NamedRecord, T extends Named>(
  source: NamedSource<R, T>,
  query: NamedQuery,
  page: PageQuery,
): Promise<Page<T>> => {
  const list = toNamedList(source, query);
  if (query.order === 'displayName') return readPageByName(list, page);
  const stored = await readNewest(list, page);
  return { ...stored, items: stored.items.map((decode) => decode()) };
};

// Pages of the reader's own records and of what other tenants share with it.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import { toAssetIdentity, toKey } from '../../../ledger/identity.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import type { AssetQuery, EventQuery, Page, PageQuery } from '../../ledgerView.ts';
import type { SharedAssetName, SharedReader } from '../../sharedView.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readAcceptedPages } from '../acceptedPage.ts';
import { toAcceptedAssets, toAssetList } from '../assetPages.ts';
import { type EventSource, type OpenList, openList, toAcceptedEvents, toEventList } from '../eventPages.ts';
import type { AssetSource } from '../matchingAssets.ts';
import { isMergedPosition, type MemberList, readBlockNumber, readMergedPage } from '../mergedPage.ts';
import type { NewestList } from '../newestPage.ts';
import { readAssetRow } from '../recordReads.ts';
import { mayOwn } from './onlyAsset.ts';
import { type OwnerGrants, readOwnerGrants } from './readerGrants.ts';
import { createAssetMembers, toSharedAssetList } from './sharedAssets.ts';
import { toSharedCreations } from './sharedCreations.ts';
import { createEventRows, restrictEvents, toSharedAcceptedEvents, toSharedEventList } from './sharedEvents.ts';
import type { EventFormat } from './sharedItems.ts';
import { findSharedAsset } from './sharedRecords.ts';
import { openVisibleAssets, type VisibleAssets } from './visibleAssets.ts';

/** The tenants whose records a list contains. */
export interface ListedTenants {
  /** Whether it contains the reader's own, all of them. */
  readonly isOwn: boolean;
  readonly others: readonly VisibleAssets[];
}

const toListed = (snapshot: Snapshot, isOwn: boolean, owners: readonly OwnerGrants[]): ListedTenants => ({
  isOwn,
  others: owners.map((owner) => openVisibleAssets(snapshot, owner)),
});

/** A page that continues a list of the reader's own records is one, too: then it contains each of them once. */
const continuesOwn = ({ order }: Pick<AssetQuery, 'order'>, { position }: PageQuery): boolean =>
  order === 'newest' && position !== undefined && !isMergedPosition(position);

interface ListedOf extends Pick<AssetQuery, 'order' | 'ofTenant'> {
  readonly tenantIdentity: string;
  readonly reader: SharedReader;
}

const findTenants = async (
  snapshot: Snapshot,
  { tenantIdentity, reader, ofTenant, order }: ListedOf,
  page: PageQuery,
): Promise<ListedTenants | undefined> => {
  const isListed = (identity: string): boolean => ofTenant === undefined || ofTenant === identity;
  const isOwn = !reader.isOwnRestricted && isListed(tenantIdentity);
  if (isOwn && continuesOwn({ order }, page)) return undefined;
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const listed = owners.filter((owner) => isListed(owner.tenantIdentity));
  return isOwn && listed.length === 0 ? undefined : toListed(snapshot, isOwn, listed);
};

/** Finds the tenants of a list of assets; undefined if it has only the reader's own. */
export const findAssetTenants = async (
  { snapshot, tenantIdentity }: AssetSource,
  query: AssetQuery,
  page: PageQuery,
): Promise<ListedTenants | undefined> => {
  const { reader } = query;
  return reader === undefined ? undefined : findTenants(snapshot, { ...query, reader, tenantIdentity }, page);
};

const isOwnAsset = ({ snapshot, tenantIdentity, uncommitted }: EventSource, identity: string): boolean =>
  uncommitted.length > 0 || readAssetRow(snapshot, { tenantIdentity, identity }) !== undefined;

const findAssetTenant = async (
  source: EventSource,
  reader: SharedReader,
  name: SharedAssetName,
): Promise<ListedTenants | undefined> => {
  const { snapshot, tenantIdentity } = source;
  const isOwn = !reader.isOwnRestricted && mayOwn(name, tenantIdentity);
  if (isOwn && isOwnAsset(source, toAssetIdentity(name.assetUuid))) return undefined;
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const found = findSharedAsset(snapshot, owners, name);
  return toListed(snapshot, false, found === undefined ? [] : [found.owner]);
};

/**
 * Finds the tenants of a list of events; undefined if it has only the reader's own. Rejects with ASSET_AMBIGUOUS if it
 * is a list of one asset, the reader sees those of several tenants, and none is named.
 */
export const findEventTenants = async (
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
): Promise<ListedTenants | undefined> => {
  const { reader, assetUuid, ofTenant: ownerIdentity } = query;
  if (reader === undefined) return undefined;
  if (assetUuid !== undefined) return findAssetTenant(source, reader, { assetUuid, ownerIdentity });
  return findTenants(source.snapshot, { ...query, reader, tenantIdentity: source.tenantIdentity }, page);
};

const listCreated = async (
  source: AssetSource,
  query: AssetQuery,
  page: PageQuery,
  { isOwn, others }: ListedTenants,
): Promise<Page<Asset>> => {
  const own = isOwn ? [toAcceptedAssets(source, query)] : [];
  const all = [...own, ...others.map((visible) => toSharedCreations(source.snapshot, visible, query))];
  const found = await readAcceptedPages(
    all.map(({ list }) => list),
    page,
  );
  const assets = new Map<EventResource, Asset>();
  for (const [at, { readCreated }] of all.entries()) {
    const creations = found.items.filter((item) => item.at === at).map(({ event }) => event);
    const read = await readCreated(creations);
    for (const [index, creation] of creations.entries()) assets.set(creation, read[index]!);
  }
  return { ...found, items: found.items.map(({ event }) => assets.get(event)!) };
};

/** One page of the assets of these tenants that meet the query. */
export const readSharedAssetPage = async (
  source: AssetSource,
  query: AssetQuery,
  page: PageQuery,
  listed: ListedTenants,
): Promise<Page<Asset>> => {
  if (query.order === 'oldestAccepted') return listCreated(source, query, page, listed);
  const { snapshot, tenantIdentity } = source;
  const { readRows, ...positions } = createAssetMembers(snapshot, toKey(tenantIdentity));
  return readMergedPage(
    {
      own: listed.isOwn ? { ...toAssetList(source, query, readRows), ...positions } : undefined,
      others: listed.others.map((visible) => toSharedAssetList(snapshot, visible, query)),
      blockNumber: readBlockNumber(snapshot),
    },
    page,
  );
};

const toOwnEventList = async <T>(
  source: EventSource,
  opened: OpenList,
  page: PageQuery,
  format: EventFormat<T>,
): Promise<NewestList<T> & MemberList<T>> => {
  const { read, ...positions } = createEventRows(source.snapshot, toKey(source.tenantIdentity));
  const ofRow = format.createOfRow(source.tenantIdentity);
  const items = { of: format.of, read: async (numbers: readonly number[]) => (await read(numbers)).map(ofRow) };
  return { ...(await toEventList(source, opened, page, items)), ...positions };
};

const listAccepted = async (
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
  { opened, others }: { opened: OpenList | undefined; others: readonly VisibleAssets[] },
): Promise<Page<EventResource>> => {
  const { snapshot } = source;
  const own = opened === undefined ? [] : [toAcceptedEvents(source, opened)];
  const shared = others.map((visible) => toSharedAcceptedEvents(snapshot, visible, query));
  const found = await readAcceptedPages([...own, ...shared], page);
  const shown = new Map(found.items.map(({ event }) => [event, event]));
  for (const [at, visible] of others.entries()) {
    const events = found.items.filter((item) => item.at === own.length + at).map(({ event }) => event);
    const restricted = await restrictEvents(snapshot, visible, events);
    for (const [index, event] of events.entries()) shown.set(event, restricted[index]!);
  }
  return { ...found, items: found.items.map(({ event }) => shown.get(event)!) };
};

/** One page of the events of these tenants that meet the query. */
export const readSharedEventPage = async <T>(
  source: EventSource,
  query: EventQuery,
  page: PageQuery,
  { isOwn, others }: ListedTenants,
  format: EventFormat<T>,
): Promise<Page<T>> => {
  const { snapshot } = source;
  const opened = isOwn ? await openList(source, query) : undefined;
  if (query.order === 'oldestAccepted') {
    const { items, ...rest } = await listAccepted(source, query, page, { opened, others });
    return { ...rest, items: items.map(format.of) };
  }
  const shared = { isCounted: page.isCounted, format };
  return readMergedPage(
    {
      own: opened && (await toOwnEventList(source, opened, page, format)),
      others: await Promise.all(others.map((visible) => toSharedEventList(snapshot, visible, query, shared))),
      blockNumber: readBlockNumber(snapshot),
    },
    page,
  );
};

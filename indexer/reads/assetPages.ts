// Lists of assets. Ordered by acceptance, they are lists of the events that create the assets.
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { toKey } from '../../ledger/identity.ts';
import { type EventResource, isCreation } from '../../ledger/records/event.ts';
import * as keys from '../keys.ts';
import type { AssetQuery, Page, PageQuery } from '../ledgerView.ts';
import type { AssetRow } from '../rows/rows.ts';
import { type AcceptedList, readAcceptedPage } from './acceptedPage.ts';
import { type AcceptedPlace, toPlace } from './acceptedPlace.ts';
import { createFindCommittedAssets, selectCreations } from './creations.ts';
import { type AssetSource, type MatchingAssets, matchAssets, toItems } from './matchingAssets.ts';
import { type NewestList, readNewestPage } from './newestPage.ts';
import { readEvents, readMembers } from './recordReads.ts';
import { readCount } from './selection/selection.ts';
import { toUncommittedEvents } from './uncommitted.ts';

const toUncommittedCreations = ({ uncommitted }: AssetSource, { created }: MatchingAssets): EventResource[] => {
  const identities = new Set(created.map(({ asset }) => asset.identity));
  const creations = uncommitted.filter(
    ({ streamIdentity, record }) => identities.has(streamIdentity) && isCreation(record),
  );
  return creations.flatMap((creation) => toUncommittedEvents(undefined, [creation]));
};

/** A list of assets by acceptance: the events that create them, and the assets of such events. */
export interface AcceptedAssets {
  readonly list: AcceptedList;
  /** Reads the assets that events create, in the same order. */
  readCreated(creations: readonly EventResource[]): Promise<Asset[]>;
}

/** The place of an asset, by its creation: without that event's own UUID, which not every reader may see. */
export const toCreationPlace = ({ timestamp_accepted, asset_identity }: EventResource): AcceptedPlace =>
  toPlace({ timestamp_accepted, identity: asset_identity });

/** The tenant's assets that meet the query, by acceptance. */
export const toAcceptedAssets = (source: AssetSource, query: AssetQuery): AcceptedAssets => {
  const { snapshot, tenantIdentity } = source;
  const tenantKey = toKey(tenantIdentity);
  const matching = matchAssets(source, query);
  const uncommitted = toUncommittedCreations(source, matching);
  const selected = selectCreations(source, matching);
  return {
    list: {
      snapshot,
      tenantKey,
      uncommitted,
      selected,
      readEvents: (numbers) => readEvents(snapshot, tenantIdentity, numbers),
      toPlace: toCreationPlace,
    },
    readCreated: async (creations) => {
      const identities = creations.map((event) => event.asset_identity);
      const rows = await snapshot.readMany(identities.map((identity) => keys.assetKey(tenantKey, toKey(identity))));
      const indexed = toItems(matching.changed, rows.filter((row) => row !== undefined) as AssetRow[]);
      const assets = [...indexed, ...matching.created.map(({ asset }) => asset)];
      const byIdentity = new Map(assets.map((asset) => [asset.identity, asset]));
      return identities.map((identity) => byIdentity.get(identity)!);
    },
  };
};

const listByAcceptance = async (source: AssetSource, query: AssetQuery, page: PageQuery): Promise<Page<Asset>> => {
  const { list, readCreated } = toAcceptedAssets(source, query);
  const creations = await readAcceptedPage(list, page);
  return { ...creations, items: await readCreated(creations.items) };
};

/** Reads the rows of assets by their numbers, in the same order. */
type ReadAssetRows = (numbers: readonly number[]) => Promise<AssetRow[]>;

const createReadRows =
  ({ snapshot, tenantIdentity }: AssetSource): ReadAssetRows =>
  async (numbers) => {
    const members = { tenantKey: toKey(tenantIdentity), collection: 'assets', numbers } as const;
    return (await readMembers(snapshot, members, keys.assetKey)) as AssetRow[];
  };

/** The tenant's assets that meet the query, newest first. */
export const toAssetList = (
  source: AssetSource,
  query: AssetQuery,
  readRows = createReadRows(source),
): NewestList<Asset> => {
  const { snapshot, tenantIdentity } = source;
  const tenantKey = toKey(tenantIdentity);
  const matching = matchAssets(source, query);
  const { changed, created, select } = matching;
  return {
    uncommitted: created.map(({ asset, creationMs }) => ({
      place: { atMs: creationMs!, identity: asset.identity },
      toItem: () => asset,
    })),
    select,
    readCount: () => readCount(snapshot, { tenantKey, collection: 'assets' }),
    findCommitted: createFindCommittedAssets(source, matching),
    readItems: async (numbers) => toItems(changed, await readRows(numbers)),
  };
};

const listNewestAssets = (source: AssetSource, query: AssetQuery, page: PageQuery): Promise<Page<Asset>> =>
  readNewestPage(toAssetList(source, query), page);

/** One page of the tenant's assets that meet the conditions. */
export const readAssetPage = (source: AssetSource, query: AssetQuery, page: PageQuery): Promise<Page<Asset>> =>
  query.order === 'newest' ? listNewestAssets(source, query, page) : listByAcceptance(source, query, page);

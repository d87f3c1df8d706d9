// Single assets and events that are shared with a reader.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import { toAssetIdentity, toEventIdentity } from '../../../ledger/identity.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { type Grant, includesName, matchesAsset } from '../../../ledger/sharing/grants.ts';
import { type ChainPosition, comparePositions } from '../../rows/chainPosition.ts';
import { positionOfRow } from '../../rows/recordRow.ts';
import type { AssetRow } from '../../rows/rows.ts';
import type { SharedReader } from '../../sharedView.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readPastAsset } from '../pastAsset.ts';
import { readAssetRow, readIndexedEvent, readNumbered, toAsset } from '../recordReads.ts';
import { type OwnerGrants, readOwnerGrants } from './readerGrants.ts';
import { restrictAsset, restrictEvent } from './restricted.ts';
import { uniteNames } from './visibleAssets.ts';

/** A shared asset, with those of the grants that are about it as it is now. */
interface SharedAsset {
  readonly owner: OwnerGrants;
  readonly row: AssetRow;
  readonly grants: readonly Grant[];
}

const findOf = (snapshot: Snapshot, owner: OwnerGrants, identity: string): SharedAsset[] => {
  const row = readAssetRow(snapshot, { tenantIdentity: owner.tenantIdentity, identity });
  const grants = row === undefined ? [] : owner.grants.filter((grant) => matchesAsset(grant, row.state.attributes));
  return grants.length === 0 ? [] : [{ owner, row: row!, grants }];
};

const readCreation = (snapshot: Snapshot, { owner, row }: SharedAsset): ChainPosition =>
  positionOfRow(readNumbered(snapshot, owner.tenantKey, row.creationNumber));

/**
 * The shared asset with this identity. Several tenants may have an asset with the same UUID: the reader's own comes
 * first, then the one that the chain has first.
 */
export const findSharedAsset = (
  snapshot: Snapshot,
  tenantIdentity: string,
  owners: readonly OwnerGrants[],
  identity: string,
): SharedAsset | undefined => {
  const found = owners.flatMap((owner) => findOf(snapshot, owner, identity));
  const isOwn = ({ owner }: SharedAsset): boolean => owner.tenantIdentity === tenantIdentity;
  const [first] = found.toSorted((a, b) => comparePositions(readCreation(snapshot, a), readCreation(snapshot, b)));
  return found.find(isOwn) ?? first;
};

const readableNames = (grants: readonly Grant[]) => uniteNames(grants.map(({ attributesRead }) => attributesRead));

/** The asset with this UUID as far as the reader sees it, as it is now or was at a time. */
export const readSharedAsset = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  reader: SharedReader,
  { assetUuid, atMs }: { readonly assetUuid: string; readonly atMs?: number | undefined },
): Promise<Asset | undefined> => {
  const identity = toAssetIdentity(assetUuid);
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const found = findSharedAsset(snapshot, tenantIdentity, owners, identity);
  if (found === undefined) return undefined;
  const name = { tenantIdentity: found.owner.tenantIdentity, identity };
  const asset = atMs === undefined ? toAsset(found.row) : await readPastAsset(snapshot, name, atMs);
  return asset && restrictAsset(asset, readableNames(found.grants));
};

const isVisible = ({ event_attributes }: EventResource, grants: readonly Grant[]): boolean => {
  const type = Object.hasOwn(event_attributes, 'arc_display_type') ? event_attributes.arc_display_type : undefined;
  const name = typeof type === 'string' ? type : undefined;
  return grants.some(({ typesRead }) => includesName(typesRead, name));
};

/** An event of the asset that `readSharedAsset` finds, as far as the reader sees it. */
export const readSharedEvent = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  reader: SharedReader,
  { assetUuid, eventUuid }: { readonly assetUuid: string; readonly eventUuid: string },
): Promise<EventResource | undefined> => {
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const found = findSharedAsset(snapshot, tenantIdentity, owners, toAssetIdentity(assetUuid));
  if (found === undefined) return undefined;
  const identity = toEventIdentity(assetUuid, eventUuid);
  const event = readIndexedEvent(snapshot, { tenantIdentity: found.owner.tenantIdentity, identity });
  if (event === undefined || !isVisible(event, found.grants)) return undefined;
  return restrictEvent(event, readableNames(found.grants));
};

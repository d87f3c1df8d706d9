// Single assets and events that are shared with a reader.
import type { Asset } from '../../../ledger/assets/assetResource.ts';
import { toAssetIdentity, toEventIdentity } from '../../../ledger/identity.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import { type Grant, includesName, matchesAsset } from '../../../ledger/sharing/grants.ts';
import type { AssetRow } from '../../rows/rows.ts';
import type { SharedAssetName, SharedReader } from '../../sharedView.ts';
import type { Snapshot } from '../../snapshots.ts';
import { readPastAsset } from '../pastAsset.ts';
import { readAssetRow, readIndexedEvent, toAsset } from '../recordReads.ts';
import { mayOwn, takeOnly } from './onlyAsset.ts';
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

/**
 * The shared asset with this name, if the reader sees one.
 * @throws LedgerError ASSET_AMBIGUOUS if it sees those of several tenants and none is named.
 */
export const findSharedAsset = (
  snapshot: Snapshot,
  owners: readonly OwnerGrants[],
  name: SharedAssetName,
): SharedAsset | undefined => {
  const identity = toAssetIdentity(name.assetUuid);
  const named = owners.filter((owner) => mayOwn(name, owner.tenantIdentity));
  return takeOnly(named.flatMap((owner) => findOf(snapshot, owner, identity)));
};

const readableNames = (grants: readonly Grant[]) => uniteNames(grants.map(({ attributesRead }) => attributesRead));

/** The asset with this name as far as the reader sees it, as it is now or was at a time. */
export const readSharedAsset = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  reader: SharedReader,
  { name, atMs }: { readonly name: SharedAssetName; readonly atMs?: number | undefined },
): Promise<Asset | undefined> => {
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const found = findSharedAsset(snapshot, owners, name);
  if (found === undefined) return undefined;
  const stream = { tenantIdentity: found.owner.tenantIdentity, identity: toAssetIdentity(name.assetUuid) };
  const asset = atMs === undefined ? toAsset(found.row) : await readPastAsset(snapshot, stream, atMs);
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
  { name, eventUuid }: { readonly name: SharedAssetName; readonly eventUuid: string },
): Promise<EventResource | undefined> => {
  const owners = await readOwnerGrants(snapshot, tenantIdentity, reader);
  const found = findSharedAsset(snapshot, owners, name);
  if (found === undefined) return undefined;
  const identity = toEventIdentity(name.assetUuid, eventUuid);
  const event = readIndexedEvent(snapshot, { tenantIdentity: found.owner.tenantIdentity, identity });
  if (event === undefined || !isVisible(event, found.grants)) return undefined;
  return restrictEvent(event, readableNames(found.grants));
};

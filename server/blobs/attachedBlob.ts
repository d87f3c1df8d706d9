// Finds a blob by the record that attaches it (decision 34). The refusal is the same whichever record is missing, so a
// client that may not read a record can't find out whether it exists.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { attachedBlobs, findMismatch, listReferences } from '../../ledger/assets/attachments.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toBlobIdentity, toUuid } from '../../ledger/identity.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import { type EventResource, toCommittedRecord } from '../../ledger/records/event.ts';
import type { Caller } from '../openapi/handlers.ts';
import { type EventView, readVisibleAsset, readVisibleEvent } from '../records/sharedRecords.ts';

/** UUIDs of the attaching asset or event, and of the blob. */
export interface AttachmentPath {
  readonly asset_uuid: string;
  readonly event_uuid?: string;
  readonly uuid: string;
}

type BlobView = Pick<LedgerView, 'readBlob' | 'listEvents'>;

/** Finds the blob with this identity that a record attaches. */
type FindBlob = (identity: string) => Promise<BlobResource | undefined>;

const attaches = (maps: readonly Attributes[], identity: string): boolean =>
  maps.some((attributes) => attachedBlobs(attributes).has(identity));

// What a contribution attaches is a blob of the tenant that recorded it. The list that it shows besides has blobs of
// other tenants, too, which may only have the identity of one of its blobs.
const toMaps = (event: EventResource): readonly Attributes[] => {
  const { event_attributes, asset_attributes } = event.contribution === undefined ? event : toCommittedRecord(event);
  return [event_attributes, asset_attributes];
};

// One reference that fits is enough: a record may attach a blob several times.
const assertDescribed = (maps: readonly Attributes[], identity: string, blob: BlobResource): BlobResource => {
  const references = maps.flatMap(listReferences).filter(({ identities }) => identities.has(identity));
  if (references.some((reference) => findMismatch(reference, blob) === undefined)) return blob;
  throw refuseField('ATTACHMENT_MISMATCH', 'hash', `${blob.hash.alg} ${blob.hash.value}`);
};

const readDescribed = async (
  view: BlobView,
  { tenantIdentity, maps }: { readonly tenantIdentity: string; readonly maps: readonly Attributes[] },
  identity: string,
): Promise<BlobResource | undefined> => {
  const blob = await view.readBlob(tenantIdentity, toUuid(identity));
  return blob && assertDescribed(maps, identity, blob);
};

const findOfEvent =
  (view: BlobView, event: EventResource | undefined): FindBlob =>
  async (identity) => {
    if (event === undefined) return undefined;
    const [maps, tenantIdentity] = [toMaps(event), event.tenant_identity];
    return attaches(maps, identity) ? readDescribed(view, { tenantIdentity, maps }, identity) : undefined;
  };

/** Contributions to an asset that are looked at for the blob that they attach. */
const CONTRIBUTIONS_MAX = 100;

const findContributed = async (
  view: BlobView,
  { tenant_identity, identity: asset }: Asset,
  identity: string,
): Promise<BlobResource | undefined> => {
  const fields = [{ field: 'attaches', value: identity }] as const;
  const query = { assetUuid: toUuid(asset), attributes: [], fields, times: [], order: 'oldestAccepted' } as const;
  const page = { limit: CONTRIBUTIONS_MAX, position: undefined, isCounted: false };
  const { items } = await view.listEvents(tenant_identity, query, page);
  const contributed = items.filter((event) => event.contribution !== undefined && attaches(toMaps(event), identity));
  for (const tenantIdentity of new Set(contributed.map((event) => event.tenant_identity))) {
    const maps = contributed.filter((event) => event.tenant_identity === tenantIdentity).flatMap(toMaps);
    const blob = await readDescribed(view, { tenantIdentity, maps }, identity);
    if (blob !== undefined) return blob;
  }
  return undefined;
};

const findOfAsset =
  (view: BlobView, asset: Asset | undefined): FindBlob =>
  async (identity) => {
    if (asset === undefined) return undefined;
    const [maps, tenantIdentity] = [[asset.state.attributes], asset.tenant_identity];
    if (!attaches(maps, identity)) return undefined;
    const own = await readDescribed(view, { tenantIdentity, maps }, identity);
    return own ?? findContributed(view, asset, identity);
  };

const readBlobOf = async (find: FindBlob, uuid: string): Promise<BlobResource> => {
  const blob = await find(toBlobIdentity(uuid));
  if (blob === undefined) throw new LedgerError('ATTACHMENT_NOT_FOUND');
  return blob;
};

const withoutPrincipal = (blob: BlobResource): BlobResource => ({ ...blob, issuer: '', subject: '' });

type AttachmentView = BlobView &
  EventView &
  Pick<LedgerView, 'readAsset' | 'readAssetAt' | 'readSharedAsset' | 'readPublicTenant'>;

/**
 * Reads a blob that a record attaches which the caller sees; of another tenant without its principal. Rejects with
 * ATTACHMENT_NOT_FOUND, with ATTACHMENT_MISMATCH when the record states another hash, and with ASSET_AMBIGUOUS if it
 * sees assets of several other tenants and no owner is named.
 */
export const readAttachedBlob = async (
  view: AttachmentView,
  caller: Caller,
  { asset_uuid: assetUuid, event_uuid: eventUuid, uuid }: AttachmentPath,
  ownerIdentity: string | undefined,
): Promise<BlobResource> => {
  const name = { assetUuid, ownerIdentity };
  const find =
    eventUuid === undefined
      ? findOfAsset(view, await readVisibleAsset(view, caller, name))
      : findOfEvent(view, await readVisibleEvent(view, caller, name, eventUuid));
  const blob = await readBlobOf(find, uuid);
  const isOwn = !caller.isRestricted && blob.tenantid === caller.tenantIdentity;
  return isOwn ? blob : withoutPrincipal(blob);
};

/**
 * Reads a blob that a record of a public asset attaches, without its principal. Rejects with ATTACHMENT_NOT_FOUND, or
 * ATTACHMENT_MISMATCH when the record states another hash.
 */
export const readPublicAttachedBlob = async (
  view: AttachmentView,
  { asset_uuid: assetUuid, event_uuid: eventUuid, uuid }: AttachmentPath,
): Promise<BlobResource> => {
  const tenantIdentity = await view.readPublicTenant(assetUuid);
  if (tenantIdentity === undefined) throw new LedgerError('ATTACHMENT_NOT_FOUND');
  const find =
    eventUuid === undefined
      ? findOfAsset(view, await view.readAsset(tenantIdentity, assetUuid))
      : findOfEvent(view, await view.readEvent(tenantIdentity, assetUuid, eventUuid));
  return withoutPrincipal(await readBlobOf(find, uuid));
};

// Finds a blob by the record that attaches it (decision 34). The refusal is the same whichever record is missing, so a
// client that may not read a record can't find out whether it exists.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toBlobIdentity } from '../../ledger/identity.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';

/** UUIDs of the attaching asset or event, and of the blob. */
export interface AttachmentPath {
  readonly asset_uuid: string;
  readonly event_uuid?: string;
  readonly uuid: string;
}

type AttachmentView = Pick<LedgerView, 'readAsset' | 'readEvent' | 'readBlob' | 'readPublicTenant'>;

const readAttributes = async (
  view: AttachmentView,
  tenantIdentity: string,
  { asset_uuid: assetUuid, event_uuid: eventUuid }: AttachmentPath,
): Promise<readonly Attributes[]> => {
  if (eventUuid === undefined) {
    const asset = await view.readAsset(tenantIdentity, assetUuid);
    return asset === undefined ? [] : [asset.state.attributes];
  }
  const event = await view.readEvent(tenantIdentity, assetUuid, eventUuid);
  return event === undefined ? [] : [event.event_attributes, event.asset_attributes];
};

/** Reads a blob that a record of the tenant attaches. Rejects with ATTACHMENT_NOT_FOUND. */
export const readAttachedBlob = async (
  view: AttachmentView,
  tenantIdentity: string,
  path: AttachmentPath,
): Promise<BlobResource> => {
  const identity = toBlobIdentity(path.uuid);
  const maps = await readAttributes(view, tenantIdentity, path);
  const isAttached = maps.some((attributes) => attachedBlobs(attributes).has(identity));
  const blob = isAttached ? await view.readBlob(tenantIdentity, path.uuid) : undefined;
  if (blob === undefined) throw new LedgerError('ATTACHMENT_NOT_FOUND');
  return blob;
};

/** Reads a blob that a record of a public asset attaches, without its principal. Rejects with ATTACHMENT_NOT_FOUND. */
export const readPublicAttachedBlob = async (view: AttachmentView, path: AttachmentPath): Promise<BlobResource> => {
  const tenantIdentity = await view.readPublicTenant(path.asset_uuid);
  if (tenantIdentity === undefined) throw new LedgerError('ATTACHMENT_NOT_FOUND');
  return { ...(await readAttachedBlob(view, tenantIdentity, path)), issuer: '', subject: '' };
};

// Checks what attributes say of other records: that a home location exists, and which blobs they attach (decisions 22
// and 26).
import type { LedgerView } from '../../indexer/ledgerView.ts';
import {
  assertAttachment,
  type BlobReference,
  findMismatch,
  listReferences,
  parseAppendedAttachments,
  statesHash,
  toAttachmentField,
} from '../../ledger/assets/attachments.ts';
import { refuseField } from '../../ledger/errors.ts';
import { parseBlobIdentity, parseLocationIdentity, toUuid } from '../../ledger/identity.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';

const HOME = 'arc_home_location_identity';

/**
 * Asserts that the home location in the attributes, if any, is a location of the tenant. An empty text is no location.
 * Rejects with LOCATION_UNKNOWN that names the attribute in `map`.
 */
export const assertHomeLocation = async (
  view: Pick<LedgerView, 'readLocation'>,
  tenantIdentity: string,
  map: 'attributes' | 'asset_attributes',
  attributes: Attributes,
): Promise<void> => {
  const named = Object.hasOwn(attributes, HOME) ? attributes[HOME] : undefined;
  if (named === undefined || named === '') return;
  const identity = typeof named === 'string' ? parseLocationIdentity(named) : undefined;
  const location = identity === undefined ? undefined : await view.readLocation(tenantIdentity, toUuid(identity));
  if (location !== undefined) return;
  throw refuseField('LOCATION_UNKNOWN', `${map}/${HOME}`, `there is no location ${JSON.stringify(named)}`);
};

/**
 * Asserts that each attachment that event attributes append describes a blob of the tenant.
 * Rejects with ATTACHMENT_INVALID that names the item.
 */
export const assertAttachments = async (
  view: Pick<LedgerView, 'readBlob'>,
  tenantIdentity: string,
  eventAttributes: Attributes,
): Promise<void> => {
  for (const [index, item] of parseAppendedAttachments(eventAttributes).entries()) {
    const identity = parseBlobIdentity(item.arc_attachment_identity);
    const blob = identity === undefined ? undefined : await view.readBlob(tenantIdentity, toUuid(identity));
    assertAttachment(item, blob, toAttachmentField(index));
  }
};

/** What a reference to a blob must meet, besides stating no wrong hash. */
export interface ReferenceRules {
  /** Whether the tenant must have the blob; else the identity of none is a text like any other. */
  readonly mustExist: boolean;
  /** Whether the hash must be stated: who may not read the file gets to read it by attaching it. */
  readonly mustStateHash: boolean;
}

/** Rules for who may read all files of the tenant. */
export const READERS_RULES: ReferenceRules = { mustExist: false, mustStateHash: false };

const findFault = (
  reference: BlobReference,
  identity: string,
  blob: BlobResource | undefined,
  { mustExist, mustStateHash }: ReferenceRules,
): string | undefined => {
  if (blob === undefined) return mustExist ? `there is no blob ${JSON.stringify(identity)}` : undefined;
  if (mustStateHash && !statesHash(reference)) return 'must state the hash of a file that you may not read';
  return findMismatch(reference, blob);
};

/**
 * Asserts that what attributes say of blobs is so, in any attribute: no hash but that of the tenant's blob is stated.
 * Rejects with ATTACHMENT_INVALID that names the attribute in `map`, or the item of a list.
 */
export const assertBlobs = async (
  view: Pick<LedgerView, 'readBlob'>,
  tenantIdentity: string,
  maps: Readonly<Record<string, Attributes>>,
  rules: ReferenceRules,
): Promise<void> => {
  for (const [map, attributes] of Object.entries(maps))
    for (const reference of listReferences(attributes))
      for (const identity of reference.identities) {
        const blob = await view.readBlob(tenantIdentity, toUuid(identity));
        const fault = findFault(reference, identity, blob, rules);
        if (fault !== undefined) throw refuseField('ATTACHMENT_INVALID', `${map}/${reference.path}`, fault);
      }
};

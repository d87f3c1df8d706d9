// Checks that the records that attributes refer to exist: a home location, and the blobs of an Attach (decisions 22 and
// 26).
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { assertAttachment, parseAppendedAttachments, toAttachmentField } from '../../ledger/assets/attachments.ts';
import { refuseField } from '../../ledger/errors.ts';
import { parseBlobIdentity, parseLocationIdentity, toUuid } from '../../ledger/identity.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';

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

// Checks that the records that attributes refer to exist: a home location, and attached blobs (decisions 22 and 26).
import type { LedgerView } from '../../indexer/ledgerView.ts';
import {
  assertAttachment,
  attachedBlobs,
  parseAppendedAttachments,
  toAttachmentField,
} from '../../ledger/assets/attachments.ts';
import { toPointerToken } from '../../ledger/encoding/pointerToken.ts';
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

/** The maps of an event that may attach blobs. */
interface AttachingMaps {
  readonly event_attributes: Attributes;
  readonly asset_attributes: Attributes;
}

// The blobs that each attribute, or each item of a list, attaches, with its path in the request.
const toPlaces = (map: keyof AttachingMaps, attributes: Attributes) =>
  Object.entries(attributes).flatMap(([name, value]) => {
    const field = `${map}/${toPointerToken(name)}`;
    return Array.isArray(value)
      ? value.map((item, index) => ({ field: `${field}/${index}`, blobs: attachedBlobs({ [name]: [item] }) }))
      : [{ field, blobs: attachedBlobs({ [name]: value }) }];
  });

/**
 * Asserts that the tenant has each blob that an event attaches, in any of its attributes.
 * Rejects with ATTACHMENT_INVALID that names the attribute, or the item of a list.
 */
export const assertBlobs = async (
  view: Pick<LedgerView, 'readBlob'>,
  tenantIdentity: string,
  event: AttachingMaps,
): Promise<void> => {
  const places = (['event_attributes', 'asset_attributes'] as const).flatMap((map) => toPlaces(map, event[map]));
  for (const { field, blobs } of places) {
    for (const identity of blobs) {
      const blob = await view.readBlob(tenantIdentity, toUuid(identity));
      if (blob === undefined)
        throw refuseField('ATTACHMENT_INVALID', field, `there is no blob ${JSON.stringify(identity)}`);
    }
  }
};

// Attachments: how the attributes of an asset or an event refer to blobs, in either style (decisions 25, 26 and 34),
// and the required fields of a list item. Attributes may come from a writer that doesn't use this server, so parsing
// accepts any.
import { toPointerToken } from '../encoding/pointerToken.ts';
import { refuseField } from '../errors.ts';
import { parseBlobIdentity } from '../identity.ts';
import { type Attributes, type AttributeValue, isJsonObject } from '../records/attributes.ts';
import type { BlobResource } from '../records/blob.ts';

/** One item of `arc_attachments` or `arc_append_attachments`. */
export interface Attachment {
  /** `blobs/<uuid>`, the UUID in either case. */
  readonly arc_attachment_identity: string;
  readonly arc_display_name: string;
  readonly arc_hash_value: string;
  readonly arc_hash_alg: string;
}

const ITEM_FIELDS = ['arc_attachment_identity', 'arc_display_name', 'arc_hash_value', 'arc_hash_alg'] as const;
const LISTS: readonly string[] = ['arc_attachments', 'arc_append_attachments'];
/** Names of the algorithm that blobs are hashed with, in lower case. */
const SHA_256: readonly string[] = ['sha256', 'sha-256'];

type StringMap = Readonly<Record<string, string>>;

const itemsOf = (value: AttributeValue | undefined): readonly StringMap[] =>
  Array.isArray(value) ? (value as readonly StringMap[]) : [];

const blobOfMap = (map: StringMap): string | undefined =>
  map.arc_attribute_type === 'arc_attachment' ? map.arc_blob_identity : undefined;

const NO_BLOBS: readonly undefined[] = [];

const toNamedBlobs = (name: string, value: AttributeValue): readonly (string | undefined)[] => {
  if (typeof value === 'string') return NO_BLOBS;
  if (!Array.isArray(value)) return isJsonObject(value) ? [blobOfMap(value as StringMap)] : [];
  const maps = itemsOf(value).map(blobOfMap);
  return LISTS.includes(name) ? [...itemsOf(value).map((item) => item.arc_attachment_identity), ...maps] : maps;
};

/**
 * Identities, in lower case and each once, of the blobs that attributes attach: in items of the two lists, and in maps
 * of type `arc_attachment`, which are an attribute's value or an item of any list. Texts that are not the identity of a
 * blob are ignored.
 */
export const attachedBlobs = (attributes: Attributes): ReadonlySet<string> => {
  const identities = new Set<string>();
  for (const name in attributes) {
    for (const text of toNamedBlobs(name, attributes[name]!)) {
      const identity = text === undefined ? undefined : parseBlobIdentity(text);
      if (identity !== undefined) identities.add(identity);
    }
  }
  return identities;
};

/** A map of attributes that refers to blobs: an attribute's value, or an item of a list. */
export interface BlobReference {
  /** Path of the map below its attributes, as a JSON pointer without its first slash. */
  readonly path: string;
  readonly map: StringMap;
  /** As `attachedBlobs` finds them. */
  readonly identities: ReadonlySet<string>;
}

const toReference = (path: string, name: string, value: AttributeValue): BlobReference[] => {
  const identities = attachedBlobs({ [name]: value });
  const map = Array.isArray(value) ? value[0] : value;
  return identities.size === 0 ? [] : [{ path, map: map as StringMap, identities }];
};

/** What in attributes refers to blobs. */
export const listReferences = (attributes: Attributes): BlobReference[] => {
  if (attachedBlobs(attributes).size === 0) return [];
  return Object.entries(attributes).flatMap(([name, value]) => {
    const path = toPointerToken(name);
    return Array.isArray(value)
      ? value.flatMap((item, at) => toReference(`${path}/${at}`, name, [item] as AttributeValue))
      : toReference(path, name, value);
  });
};

const HASH_FIELDS = ['arc_hash_value', 'arc_blob_hash_value'];
const ALGORITHM_FIELDS = ['arc_hash_alg', 'arc_blob_hash_alg'];

const isStated = (map: StringMap, name: string): boolean => Object.hasOwn(map, name) && map[name] !== '';

// The first of the stated members whose text, in lower case, is not as it should be.
const findWrong = (map: StringMap, names: readonly string[], isRight: (text: string) => boolean): string | undefined =>
  names.find((name) => isStated(map, name) && !isRight(map[name]!.toLowerCase()));

/** Whether a reference states a hash, in either style. */
export const statesHash = ({ map }: Pick<BlobReference, 'map'>): boolean =>
  HASH_FIELDS.some((name) => isStated(map, name));

/**
 * Why a reference doesn't describe this blob: it states another hash, or one of another algorithm. Hash and algorithm
 * match in either case (decision 26). Undefined when it describes it, or states no hash.
 */
export const findMismatch = ({ map }: Pick<BlobReference, 'map'>, blob: BlobResource): string | undefined => {
  if (!statesHash({ map })) return undefined;
  const algorithm = findWrong(map, ALGORITHM_FIELDS, (name) => SHA_256.includes(name));
  if (algorithm !== undefined) return `${algorithm} must be SHA256, as of every blob`;
  const hash = findWrong(map, HASH_FIELDS, (text) => text === blob.hash.value);
  return hash && `${hash} is not the hash of the blob`;
};

/**
 * `arc_attachments` with the items of `arc_append_attachments` appended: always a list, whatever the attribute was
 * before.
 */
export const appendAttachments = (attributes: Attributes, appended: Attributes): readonly StringMap[] => [
  ...itemsOf(attributes.arc_attachments),
  ...itemsOf(appended.arc_append_attachments),
];

const isBlobIdentity = (text: string): boolean => parseBlobIdentity(text) !== undefined;

const assertItem = (item: StringMap, field: string): void => {
  for (const name of ITEM_FIELDS) {
    const value = Object.hasOwn(item, name) ? item[name]! : '';
    const isRight = name === 'arc_attachment_identity' ? isBlobIdentity(value) : value !== '';
    const form = name === 'arc_attachment_identity' ? 'blobs/<uuid>' : 'a string that is not empty';
    if (!isRight) throw refuseField('ATTACHMENT_INVALID', `${field}/${name}`, `must be ${form}`);
  }
};

/** Path, in the request, of the item with this index that an Attach appends. */
export const toAttachmentField = (index: number): string => `event_attributes/arc_append_attachments/${index}`;

/**
 * The attachments that event attributes append: a list of at least one item, each with all fields. `assertAttachment`
 * checks the blobs.
 * @throws LedgerError EVENT_ATTRIBUTE_MISSING that names the list, or ATTACHMENT_INVALID that names the field of an
 * item.
 */
export const parseAppendedAttachments = (eventAttributes: Attributes): readonly Attachment[] => {
  const items = itemsOf(eventAttributes.arc_append_attachments);
  if (items.length === 0) {
    const field = 'event_attributes/arc_append_attachments';
    throw refuseField('EVENT_ATTRIBUTE_MISSING', field, 'must be a list of at least one attachment');
  }
  for (const [index, item] of items.entries()) assertItem(item, toAttachmentField(index));
  return items as readonly StringMap[] as readonly (StringMap & Attachment)[];
};

/**
 * Asserts that an attachment describes this blob of the tenant, as `findMismatch` does.
 * @param blob the tenant's blob with the attachment's identity; undefined where there is none.
 * @throws LedgerError ATTACHMENT_INVALID that names `field`, the path of the item.
 */
export const assertAttachment = (item: Attachment, blob: BlobResource | undefined, field: string): void => {
  const fault =
    blob === undefined
      ? `there is no blob ${JSON.stringify(item.arc_attachment_identity)}`
      : findMismatch({ map: { ...item } }, blob);
  if (fault !== undefined) throw refuseField('ATTACHMENT_INVALID', field, fault);
};

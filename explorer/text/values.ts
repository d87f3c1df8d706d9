// AttributeMap as text: an attribute is a string, or a list or map of strings.
import type { AttributeMap } from '../api/client.ts';
import { uuidOf } from './names.ts';

type Value = AttributeMap[string];

/** One line of text for a value. */
export const toLine = (value: Value | undefined): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** An attachment: an attribute that names a blob. */
export interface AttachedFile {
  readonly attribute: string;
  /** UUID of the blob. */
  readonly uuid: string;
  readonly name: string;
  readonly mimeType: string;
  /** SHA-256 of the content, as the record states it, in hexadecimal digits; empty if it doesn't. */
  readonly hash: string;
}

const LISTS = ['arc_attachments', 'arc_append_attachments'];

const isMap = (value: Value): value is Record<string, string> => typeof value === 'object' && !Array.isArray(value);

const toAttached = (attribute: string, map: Readonly<Record<string, string>>): AttachedFile[] => {
  const isTyped = map.arc_attribute_type === 'arc_attachment';
  const identity = isTyped ? map.arc_blob_identity : LISTS.includes(attribute) && map.arc_attachment_identity;
  if (!identity) return [];
  const name = map.arc_display_name || map.arc_file_name || attribute;
  const hash = map.arc_blob_hash_value ?? map.arc_hash_value ?? '';
  return [{ attribute, uuid: uuidOf(identity), name, mimeType: map.arc_blob_mime_type ?? '', hash }];
};

/** The files that attributes attach: as a map of the type `arc_attachment`, or as an item of a list of attachments. */
export const listAttachments = (attributes: AttributeMap): AttachedFile[] =>
  Object.entries(attributes).flatMap(([attribute, value]) => {
    if (Array.isArray(value)) return value.flatMap((item) => toAttached(attribute, item));
    return isMap(value) ? toAttached(attribute, value) : [];
  });

/** Whether an attribute only attaches files. */
export const isAttachment = (name: string, value: Value): boolean => listAttachments({ [name]: value }).length > 0;

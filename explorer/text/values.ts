// AttributeMap as text: an attribute is a string, or a list or map of strings.
import type { AttributeMap } from '../api/client.ts';

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
}

const isMap = (value: Value): value is Record<string, string> => typeof value === 'object' && !Array.isArray(value);

/** The attachments among attributes. */
export const listAttachments = (attributes: AttributeMap): AttachedFile[] =>
  Object.entries(attributes).flatMap(([attribute, value]) => {
    if (!isMap(value) || value.arc_attribute_type !== 'arc_attachment') return [];
    const identity = value.arc_blob_identity ?? '';
    const uuid = identity.slice(identity.lastIndexOf('/') + 1);
    const name = value.arc_display_name || value.arc_file_name || attribute;
    return [{ attribute, uuid, name, mimeType: value.arc_blob_mime_type ?? '' }];
  });

/** A position on the Earth, in decimal degrees. */
export interface GeoPosition {
  readonly latitude: number;
  readonly longitude: number;
}

const toDegrees = (value: Value | undefined, most: number): number | undefined => {
  const degrees = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Math.abs(degrees) <= most ? degrees : undefined;
};

/** The position that attributes state; undefined if they state none that is on the Earth. */
export const readPosition = (attributes: AttributeMap): GeoPosition | undefined => {
  const latitude = toDegrees(attributes.arc_gis_lat, 90);
  const longitude = toDegrees(attributes.arc_gis_lng, 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
};

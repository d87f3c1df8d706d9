// An event as its form has it, and the request that records it.
import type { FieldViolation } from '../../ledger/errors.ts';
import type { SentFile } from '../api/uploads.ts';
import type { Operation } from './behaviours.ts';
import {
  type AttributeRow,
  findLongText,
  findWrongRows,
  toAppended,
  toAttachment,
  toAttributeMap,
  toFreeNames,
  toUtcTimestamp,
} from './entries.ts';

/** What a person enters of an event. */
export interface EventFormEntries {
  /** Behaviour and operation with a stroke between them; empty: the first that the asset offers. */
  readonly operation: string;
  readonly type: string;
  readonly description: string;
  readonly correlation: string;
  readonly latitude: string;
  readonly longitude: string;
  /** Local date and time. */
  readonly declaredAt: string;
  readonly firmware: string;
  readonly location: string;
  readonly behaviour: string;
  readonly ofEvent: readonly AttributeRow[];
  readonly ofAsset: readonly AttributeRow[];
}

/** Names of the attributes of the event that have fields of their own. */
export const EVENT_NAMES = [
  'arc_display_type',
  'arc_description',
  'arc_correlation_id',
  'arc_gis_lat',
  'arc_gis_lng',
] as const;

/** The field for files: where an event appends them to the asset's list, the list's. */
export const toFilesField = ({ needs }: Operation): string =>
  needs === 'files' ? 'event_attributes/arc_append_attachments' : 'files';

const toEventTexts = (entries: EventFormEntries, { needs }: Operation): Record<string, string> => ({
  arc_display_type: entries.type,
  arc_description: entries.description,
  arc_correlation_id: entries.correlation,
  arc_gis_lat: entries.latitude,
  arc_gis_lng: entries.longitude,
  ...(needs === 'behaviour' && { arc_behaviour_name: entries.behaviour }),
});

const toAssetTexts = (entries: EventFormEntries, { needs }: Operation): Record<string, string> => ({
  ...(needs === 'firmware' && { arc_firmware_version: entries.firmware }),
  ...(needs === 'location' && { arc_home_location_identity: entries.location }),
});

const findWrongDegrees = (name: string, text: string, other: string, most: number): FieldViolation[] => {
  const field = `event_attributes/${name}`;
  if (text === '') return other === '' ? [] : [{ field, description: 'is missing: a position has both' }];
  const isDegrees = /^[+-]?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most;
  return isDegrees ? [] : [{ field, description: `must be a number from -${most} to ${most}` }];
};

const findWrongTime = (text: string): FieldViolation[] =>
  text === '' || !Number.isNaN(Date.parse(text))
    ? []
    : [{ field: 'timestamp_declared', description: 'is not a date and time' }];

/** What is wrong with an event before it is sent. The server checks what its operation requires. */
export const findWrongEvent = (entries: EventFormEntries, operation: Operation): FieldViolation[] => {
  const { latitude, longitude } = entries;
  const texts = Object.entries(toEventTexts(entries, operation));
  const assetTexts = Object.entries(toAssetTexts(entries, operation));
  return [
    ...texts.flatMap(([name, text]) => findLongText(`event_attributes/${name}`, text)),
    ...findWrongDegrees('arc_gis_lat', latitude, longitude, 90),
    ...findWrongDegrees('arc_gis_lng', longitude, latitude, 180),
    ...findWrongTime(entries.declaredAt),
    ...findWrongRows('event_attributes', entries.ofEvent, EVENT_NAMES),
    ...assetTexts.flatMap(([name, text]) => findLongText(`asset_attributes/${name}`, text)),
    ...findWrongRows('asset_attributes', entries.ofAsset, Object.keys(toAssetTexts(entries, operation))),
  ];
};

const toFiles = (sent: readonly SentFile[], { needs }: Operation, taken: readonly string[]) => {
  if (needs === 'files') return { arc_append_attachments: sent.map(({ name, blob }) => toAppended(blob, name)) };
  const names = toFreeNames(
    sent.map(({ name }) => name),
    taken,
  );
  return Object.fromEntries(sent.map(({ name, blob }, at) => [names[at]!, toAttachment(blob, name)]));
};

/** The body of the request. */
export const toEventRequest = (entries: EventFormEntries, operation: Operation, sent: readonly SentFile[]) => {
  const own = toAttributeMap(toEventTexts(entries, operation), entries.ofEvent);
  const timestamp_declared = toUtcTimestamp(entries.declaredAt);
  return {
    behaviour: operation.behaviour,
    operation: operation.operation,
    event_attributes: { ...own, ...toFiles(sent, operation, Object.keys(own)) },
    asset_attributes: toAttributeMap(toAssetTexts(entries, operation), entries.ofAsset),
    ...(timestamp_declared !== undefined && { timestamp_declared }),
  };
};

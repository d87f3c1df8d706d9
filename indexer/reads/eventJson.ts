// Events as JSON bytes, taken from their rows: a row has the canonical JSON of the record, to which only the fields
// that the chain adds are appended. Parsing each record and encoding it again would take most of the time of a list.
import type { Commitment } from '../../ledger/records/commitment.ts';
import { COMMITTED_TAIL, type EventResource } from '../../ledger/records/event.ts';
import { decodePayloadRow, isPlainRow, toCommitment } from '../rows/recordRow.ts';
import { decodeEventRow } from './recordReads.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

/** The JSON of a list of items. */
export const toJsonList = (items: readonly Uint8Array[]): Buffer =>
  Buffer.concat([OPEN, ...items.flatMap((item, at) => (at === 0 ? [item] : [COMMA, item])), CLOSE]);

const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** The JSON of an event. */
export const encodeEvent = (event: EventResource): Buffer => encode(event);

/** The JSON of a list of resources. */
export const encodeList = (resources: readonly object[]): Buffer => encode(resources);

const IDENTITY = ',"identity":"';
const EVENTS = '/events/';

// In canonical JSON, `identity` follows the attributes, which may contain the same name, and precedes fields that
// can't. In a string the quotation marks would be escaped.
const findAssetIdentity = (json: string): string => {
  const from = json.lastIndexOf(IDENTITY) + IDENTITY.length;
  return json.slice(from, json.indexOf(EVENTS, from));
};

const toAdded = (commitment: Commitment, assetIdentity: string): string =>
  `,"asset_identity":"${assetIdentity}","timestamp_committed":"${commitment.timestamp_committed}"` +
  `,"confirmation_status":"${commitment.confirmation_status}","block_number":${commitment.block_number}` +
  `,"transaction_index":${commitment.transaction_index},"log_index":${commitment.log_index}` +
  `,"transaction_id":"${commitment.transaction_id}","from":"${commitment.from}"`;

/** Encodes the row of an event. `change`: what is changed in its canonical JSON, a text with a character per byte. */
type EncodeChangedRow = (row: Uint8Array, change: (json: string) => string) => Buffer;

/** Returns the function that encodes rows of a tenant's events with a change. Only that of a plain row is changed. */
export const createEncodeChangedRow = (tenantIdentity: string): EncodeChangedRow => {
  const end = `,"tenant_identity":${JSON.stringify(tenantIdentity)}}`;
  return (row, change) => {
    if (!isPlainRow(row)) return encodeEvent(decodeEventRow(row, tenantIdentity)!);
    const { place, payload } = decodePayloadRow(row)!;
    const json = Buffer.from(payload.buffer, payload.byteOffset + 1, payload.length - 1).toString('latin1');
    const added = toAdded(toCommitment(place), findAssetIdentity(json)) + end;
    return Buffer.from(change(json).slice(0, -COMMITTED_TAIL.length) + added, 'latin1');
  };
};

/** Returns the function that encodes the rows of a tenant's events. */
export const createEncodeEventRow = (tenantIdentity: string): ((row: Uint8Array) => Buffer) => {
  const encode = createEncodeChangedRow(tenantIdentity);
  return (row) => encode(row, (json) => json);
};

// Events as JSON bytes, taken from their rows: a row has the canonical JSON of the record, to which only the fields
// that the chain adds are appended. Parsing each record and encoding it again would take most of the time of a list.
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
const findAssetIdentity = (payload: Buffer): string => {
  const from = payload.lastIndexOf(IDENTITY) + IDENTITY.length;
  return payload.toString('latin1', from, payload.indexOf(EVENTS, from));
};

/** Returns the function that encodes the rows of a tenant's events. */
export const createEncodeEventRow = (tenantIdentity: string): ((row: Uint8Array) => Buffer) => {
  const tenant = JSON.stringify(tenantIdentity);
  return (row) => {
    if (!isPlainRow(row)) return encodeEvent(decodeEventRow(row, tenantIdentity)!);
    const { place, payload } = decodePayloadRow(row)!;
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
    const {
      timestamp_committed,
      confirmation_status,
      block_number,
      transaction_index,
      log_index,
      transaction_id,
      from,
    } = toCommitment(place);
    const added =
      `,"asset_identity":"${findAssetIdentity(bytes)}","timestamp_committed":"${timestamp_committed}"` +
      `,"confirmation_status":"${confirmation_status}","block_number":${block_number}` +
      `,"transaction_index":${transaction_index},"log_index":${log_index},"transaction_id":"${transaction_id}"` +
      `,"from":"${from}","tenant_identity":${tenant}}`;
    return Buffer.concat([bytes.subarray(1, -COMMITTED_TAIL.length), Buffer.from(added)]);
  };
};

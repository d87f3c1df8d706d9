// How rows of events become items of a page that is merged from several tenants: resources, or their JSON, each also as
// far as a reader sees it to whom it is shared.

import { toPrincipal } from '../../../ledger/principal.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import type { EventResource } from '../../../ledger/records/event.ts';
import type { Names } from '../../../ledger/sharing/grants.ts';
import { isPlainRow } from '../../rows/recordRow.ts';
import { createEncodeEventRow, encodeEvent } from '../eventJson.ts';
import { decodeEventRow } from '../recordReads.ts';
import { restrictAttributes, restrictEvent } from './restricted.ts';

/** The forms that the events of a page may have. */
export interface EventFormat<T> {
  of(event: EventResource): T;
  /** Returns the function that converts the rows of a tenant's events. */
  createOfRow(tenantIdentity: string): (row: Uint8Array) => T;
  /** The same as far as the reader sees events: attributes of their assets with these names, and no principals. */
  createOfShared(tenantIdentity: string): (row: Uint8Array, names: Names) => T;
}

/** Events as resources. */
export const PLAIN_FORMAT: EventFormat<EventResource> = {
  of: (event) => event,
  createOfRow: (tenantIdentity) => (row) => decodeEventRow(row, tenantIdentity)!,
  createOfShared: (tenantIdentity) => (row, names) => restrictEvent(decodeEventRow(row, tenantIdentity)!, names),
};

const NOBODY = JSON.stringify(toPrincipal({}));
const PRINCIPALS = Buffer.from(`,"principal_accepted":${NOBODY},"principal_declared":${NOBODY}`);
const FIRST_PRINCIPAL = ',"principal_accepted":';
const AFTER_PRINCIPALS = ',"timestamp_accepted":';
const ATTRIBUTES = '{"asset_attributes":';
const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...Buffer.from('"\\{}')] as [number, number, number, number];

// The end of the JSON object that begins at `from`.
const findObjectEnd = (json: Buffer, from: number): number => {
  let depth = 0;
  for (let at = from; ; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) for (at += 1; json[at] !== QUOTE; at += 1) at += json[at] === BACKSLASH ? 1 : 0;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
};

// In canonical JSON, the attributes of the asset come first.
const restrictJson = (json: Buffer, names: Names): Buffer[] => {
  const end = findObjectEnd(json, ATTRIBUTES.length);
  const attributes = json.subarray(ATTRIBUTES.length, end);
  if (names === 'all' || attributes.length === '{}'.length) return [json];
  const restricted = restrictAttributes(JSON.parse(attributes.toString()) as Attributes, names);
  return [Buffer.from(`${ATTRIBUTES}${JSON.stringify(restricted)}`), json.subarray(end)];
};

// The principals come after all attributes, which may contain the same names; in a string, the quotation marks would be
// escaped.
const blankPrincipals = (json: Buffer): [Buffer, Buffer, Buffer] => {
  const from = json.lastIndexOf(FIRST_PRINCIPAL);
  return [json.subarray(0, from), PRINCIPALS, json.subarray(json.lastIndexOf(AFTER_PRINCIPALS))];
};

/** Events as JSON. A plain row has it nearly as it is shown, so that it isn't parsed. */
export const ENCODED_FORMAT: EventFormat<Buffer> = {
  of: encodeEvent,
  createOfRow: createEncodeEventRow,
  createOfShared: (tenantIdentity) => {
    const encode = createEncodeEventRow(tenantIdentity);
    const decode = PLAIN_FORMAT.createOfShared(tenantIdentity);
    return (row, names) => {
      if (!isPlainRow(row)) return encodeEvent(decode(row, names));
      const [before, principals, after] = blankPrincipals(encode(row));
      return Buffer.concat([...restrictJson(before, names), principals, after]);
    };
  },
};

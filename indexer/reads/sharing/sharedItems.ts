// How rows of events become items of a page that is merged from several tenants: resources, or their JSON, each also as
// far as a reader sees it to whom it is shared.
import type { EventResource } from '../../../ledger/records/event.ts';
import type { Names } from '../../../ledger/sharing/grants.ts';
import { isPlainRow } from '../../rows/recordRow.ts';
import { createEncodeChangedRow, createEncodeEventRow, encodeEvent } from '../eventJson.ts';
import { decodeEventRow } from '../recordReads.ts';
import { restrictEvent } from './restricted.ts';
import { restrictEventJson } from './restrictedJson.ts';

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

/** Events as JSON. A plain row has it nearly as it is shown, so that it isn't parsed. */
export const ENCODED_FORMAT: EventFormat<Buffer> = {
  of: encodeEvent,
  createOfRow: createEncodeEventRow,
  createOfShared: (tenantIdentity) => {
    const decode = PLAIN_FORMAT.createOfShared(tenantIdentity);
    const encode = createEncodeChangedRow(tenantIdentity);
    return (row, names) =>
      isPlainRow(row) ? encode(row, (json) => restrictEventJson(json, names)) : encodeEvent(decode(row, names));
  },
};

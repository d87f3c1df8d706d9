// Decodes the logs of the contract. Any holder of a writer's key can log any payload, so the projection uses a log only
// when its payload is a record and its keys are that record's. Everything that depends on the log alone is computed
// here, so that a worker thread can do it.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import { decodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { type DecodedEvent, decodeEvent } from './decodedEvent.ts';

/** The part of a log that is decoded. */
export type DecodableLog = Pick<
  RecordLog,
  'tenantKey' | 'streamKey' | 'recordKey' | 'author' | 'transactionHash' | 'payload'
>;

/** A log whose payload is a record and whose keys are that record's. `L`: the log, `C`: its content. */
export interface Decoded<L extends DecodableLog, C> {
  readonly log: L;
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly recordKey: Uint8Array;
  readonly content: C;
}

/** A record that is not an event. */
export type OtherRecord = Exclude<LedgerRecord, EventRecord>;

/** A decoded record: an event, or a record of another type as it is. */
export type DecodedRecord<
  L extends DecodableLog = RecordLog,
  C extends DecodedEvent | OtherRecord = DecodedEvent | OtherRecord,
> = Decoded<L, C>;

interface NamedKey {
  readonly bytes: Uint8Array;
  readonly text: Hex;
}

// The records of a block usually belong to one tenant, so the last key is kept. They share its array, too.
let lastTenant: NamedKey = { bytes: new Uint8Array(), text: '0x' };

/** The bytes of a log's tenant key. */
export const toTenantKey = (text: Hex): Uint8Array => {
  if (text !== lastTenant.text) lastTenant = { bytes: fromHex(text), text };
  return lastTenant.bytes;
};

/** Decodes a log; undefined if its payload is not a record or its keys are not the record's. */
export const decodeLog = <L extends DecodableLog>(log: L): DecodedRecord<L> | undefined => {
  const record = decodePayload(log.payload);
  if (record === undefined) return undefined;
  const identity = toStreamIdentityOf(record);
  const streamKey = toKey(identity);
  if (toHex(streamKey) !== log.streamKey) return undefined;
  const recordKey = toKey(record.identity);
  if (toHex(recordKey) !== log.recordKey) return undefined;
  const content = record.type === 'event' ? decodeEvent(record, log, identity) : record;
  return { log, tenantKey: toTenantKey(log.tenantKey), streamKey, recordKey, content };
};

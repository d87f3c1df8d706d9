// Decodes the logs of the contract. Any holder of a writer's key can log any payload, so the projection uses a log only
// when its payload is a record and its keys are that record's.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import { decodePayload, type LedgerRecord } from '../../ledger/records/record.ts';

/** A log whose payload is a record and whose keys are that record's. */
export interface DecodedRecord<R extends LedgerRecord = LedgerRecord> {
  readonly log: RecordLog;
  readonly record: R;
  readonly tenantKey: Uint8Array;
  readonly streamKey: Uint8Array;
  readonly recordKey: Uint8Array;
}

interface NamedKey {
  readonly bytes: Uint8Array;
  readonly text: Hex;
}

const STREAMS_MAX = 16_384;
const streams = new Map<string, NamedKey>();

const addStreamKey = (identity: string): NamedKey => {
  if (streams.size >= STREAMS_MAX) streams.clear();
  const bytes = toKey(identity);
  const key = { bytes, text: toHex(bytes) };
  streams.set(identity, key);
  return key;
};

// Most records extend a stream that was extended before, so the keys are kept: a hash takes longer than a look-up.
const toStreamKey = (identity: string): NamedKey => streams.get(identity) ?? addStreamKey(identity);

// The records of a block usually belong to one tenant, so the last key is kept. They share its array, too.
let lastTenant: NamedKey = { bytes: new Uint8Array(), text: '0x' };

const toTenantKey = (text: Hex): Uint8Array => {
  if (text !== lastTenant.text) lastTenant = { bytes: fromHex(text), text };
  return lastTenant.bytes;
};

/** Decodes a log; undefined if its payload is not a record or its keys are not the record's. */
export const decodeLog = (log: RecordLog): DecodedRecord | undefined => {
  const record = decodePayload(log.payload);
  if (record === undefined) return undefined;
  const streamKey = toStreamKey(toStreamIdentityOf(record));
  if (streamKey.text !== log.streamKey) return undefined;
  const recordKey = toKey(record.identity);
  if (toHex(recordKey) !== log.recordKey) return undefined;
  return { log, record, tenantKey: toTenantKey(log.tenantKey), streamKey: streamKey.bytes, recordKey };
};

// Decodes the logs of the contract. Any holder of a writer's key can log any payload, so the projection uses a log only
// when its payload is a record and its keys are that record's.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
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

/** Decodes a log; undefined if its payload is not a record or its keys are not the record's. */
export const decodeLog = (log: RecordLog): DecodedRecord | undefined => {
  const record = decodePayload(log.payload);
  if (record === undefined) return undefined;
  const streamKey = toKey(toStreamIdentityOf(record));
  const recordKey = toKey(record.identity);
  if (toHex(streamKey) !== log.streamKey || toHex(recordKey) !== log.recordKey) return undefined;
  return { log, record, tenantKey: fromHex(log.tenantKey), streamKey, recordKey };
};

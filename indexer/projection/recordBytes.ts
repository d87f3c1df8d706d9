// Counts the payload bytes of each tenant's records by day, for the quota of a day: it must hold after a restart, and
// for records that another server of the tenant has written.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { toDay } from '../../ledger/encoding/timestamp.ts';
import { recordBytesKey } from '../keys.ts';
import type { RecordBytesRow } from '../rows/rows.ts';
import { type Change, type ReadRow, row } from './changes.ts';

type Added = Map<Hex, RecordBytesRow>;

const add = (added: Added, { tenantKey, payload, blockTimestampSeconds }: RecordLog): void => {
  const day = toDay(blockTimestampSeconds * 1_000);
  const counted = added.get(tenantKey);
  const bytes = counted?.day === day ? counted.bytes : 0;
  added.set(tenantKey, { day, bytes: bytes + payload.length });
};

/** The changes of the index for the bytes of records, which are in the order of the chain. */
export const toRecordBytesChanges = (records: readonly RecordLog[], read: ReadRow): Change[] => {
  const added: Added = new Map();
  for (const log of records) add(added, log);
  return [...added].map(([tenantKey, { day, bytes }]) => {
    const key = recordBytesKey(fromHex(tenantKey));
    const before = read(key) as RecordBytesRow | undefined;
    return row(key, { day, bytes: bytes + (before?.day === day ? before.bytes : 0) });
  });
};

// The index in a map: the rows that the projection and its batches derive from logs, without a database. Rows are the
// bytes that LevelDB would store.
import type { RecordLog } from '../../chain/port.ts';
import { newerRecordsKey } from '../../indexer/keys.ts';
import { addLogs } from '../../indexer/projection/applyLogs.ts';
import { createIndexBatch } from '../../indexer/projection/indexBatch.ts';
import { createNewestLists } from '../../indexer/projection/newestLists.ts';
import { decodeRow, encodeRow, type Row, type Write } from '../../indexer/rows/rows.ts';
import { finish } from '../../ledger/compliance/steps.ts';

const toName = (key: Uint8Array): string => Buffer.from(key).toString('hex');

// Rows that a log writes whose payload is no record, too.
const isOfLog = (key: Uint8Array): boolean => key[0]! >= newerRecordsKey()[0]!;

/** An index in memory. */
export interface IndexModel {
  /** Projects logs as one batch, applies its writes, and returns those of what the logs mean: not those of any log. */
  take(...logs: RecordLog[]): Write[];
  read(key: Uint8Array): Row | undefined;
  /** Deletes all rows, as a follower does before it builds its index again. */
  wipe(): void;
  /** Every row's bytes, by the hexadecimal text of its key, in key order. */
  rows(): [string, string][];
}

/** Creates an empty index. `newest`: what its batches share; by default all share the same, as a follower's do. */
export const createIndexModel = (newest = createNewestLists()): IndexModel => {
  const rows = new Map<string, Buffer>();
  const apply = ({ key, value }: Write): void => {
    if (value === undefined) rows.delete(toName(key));
    else rows.set(toName(key), Buffer.from(encodeRow(value)));
  };
  const read = (key: Uint8Array): Row | undefined => {
    const bytes = rows.get(toName(key));
    return bytes && decodeRow(bytes);
  };
  return {
    take: (...logs) => {
      const batch = createIndexBatch(read, newest);
      finish(addLogs(batch, { records: logs, attestations: [] }));
      const writes = batch.toWrites();
      writes.forEach(apply);
      return writes.filter(({ key }) => !isOfLog(key));
    },
    read,
    wipe: () => rows.clear(),
    rows: () =>
      [...rows].map(([key, row]): [string, string] => [key, row.toString('hex')]).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
};

// Projects batches of records: LevelDB writes one on its own threads while the next is projected. The store shows the
// rows of the batch in flight, so that each batch starts where the previous one ends.
import type { RecordLog } from '../../chain/port.ts';
import { hasUnknownVersion } from '../../ledger/records/record.ts';
import type { Cursor } from '../rows/rows.ts';
import type { IndexStore } from '../store.ts';
import { type DecodedRecord, decodeLog } from './decodedRecord.ts';
import { createIndexBatch } from './indexBatch.ts';
import type { NewestLists } from './newestLists.ts';
import { project, projectNewer } from './projection.ts';

// Each record is decoded when it is projected, so that those of a batch need not be in memory at the same time.
function* decodeEach(logs: readonly RecordLog[]): Generator<DecodedRecord | undefined> {
  for (const log of logs) yield decodeLog(log);
}

/** What speeds up a projection. */
export interface ProjectionOptions {
  /** What `decodeLog` returns for each log; it is computed where it is left out. */
  readonly decoded?: readonly (DecodedRecord | undefined)[] | undefined;
  /** What all projections of the index share; without it, a list that the store may have is always looked up. */
  readonly newest?: NewestLists;
}

/**
 * Projects the logs that lead to the cursor. Resolves when reads show them. Rejects with the error of a failed write.
 */
export const applyLogs = (
  store: Pick<IndexStore, 'read' | 'apply'>,
  logs: readonly RecordLog[],
  cursor: Cursor,
  { decoded, newest }: ProjectionOptions = {},
): Promise<void> => {
  const batch = createIndexBatch(store.read, newest);
  for (const record of decoded ?? decodeEach(logs)) {
    if (record !== undefined) batch.add(project(record, batch.read));
  }
  for (const log of logs) if (hasUnknownVersion(log.payload)) batch.add(projectNewer(log, batch.read));
  return store.apply(batch.toWrites(), cursor);
};

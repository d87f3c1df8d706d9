// Writes one batch of records while the next is projected: LevelDB works on its own threads. Rows of the batch in
// flight are read as if they were stored, so that each batch starts where the previous one ends.
import type { RecordLog } from '../../chain/port.ts';
import { toKeyName } from '../keys.ts';
import type { Cursor, Row, Write } from '../rows/rows.ts';
import type { IndexStore } from '../store.ts';
import type { ReadRow } from './changes.ts';
import { type DecodedRecord, decodeLog } from './decodedRecord.ts';
import { createIndexBatch } from './indexBatch.ts';
import type { NewestLists } from './newestLists.ts';
import { project } from './projection.ts';

/** Projects and writes batches of logs. */
export interface WriteBehind {
  /**
   * Projects the logs that lead to the cursor. Resolves when their write has started; `onWritten` is called when it is
   * complete. `decoded`: what `decodeLog` returns for each log; it is computed where it is left out.
   */
  put(
    logs: readonly RecordLog[],
    cursor: Cursor,
    onWritten: () => void,
    decoded?: readonly (DecodedRecord | undefined)[],
  ): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

type Rows = ReadonlyMap<string, Row | undefined>;
const NO_ROWS: Rows = new Map();

const toRows = (writes: readonly Write[]): Rows => new Map(writes.map(({ key, value }) => [toKeyName(key), value]));

// Each record is decoded when it is projected, so that those of a batch need not be in memory at the same time.
function* decodeEach(logs: readonly RecordLog[]): Generator<DecodedRecord | undefined> {
  for (const log of logs) yield decodeLog(log);
}

/** The writes that apply these records to the stored rows. */
const projectRecords = (
  readStored: ReadRow,
  newest: NewestLists | undefined,
  records: Iterable<DecodedRecord | undefined>,
): Write[] => {
  const batch = createIndexBatch(readStored, newest);
  for (const record of records) if (record !== undefined) batch.add(project(record, batch.read));
  return batch.toWrites();
};

/**
 * Creates a writer to the store. After a failed write, `put` and `end` reject with its error. `newest`: what all
 * writers to the store share; without it, a list that the store may have is always looked up.
 */
export const createWriteBehind = (store: Pick<IndexStore, 'read' | 'apply'>, newest?: NewestLists): WriteBehind => {
  let inFlight: Rows = NO_ROWS;
  let writing: Promise<void> = Promise.resolve();
  const read: ReadRow = (key) => {
    const name = toKeyName(key);
    return inFlight.has(name) ? inFlight.get(name) : store.read(key);
  };
  return {
    put: async (logs, cursor, onWritten, decoded) => {
      const writes = projectRecords(read, newest, decoded ?? decodeEach(logs));
      await writing;
      inFlight = toRows(writes);
      writing = store.apply(writes, cursor).then(onWritten);
      // The next call awaits `writing` and rejects; until then the rejection must not count as unhandled.
      writing.catch(() => undefined);
    },
    end: () => writing,
  };
};

// Writes one batch of records while the next is projected: LevelDB works on its own threads. Rows of the batch in
// flight are read as if they were stored, so that each batch starts where the previous one ends.
import type { RecordLog } from '../../chain/port.ts';
import { toKeyName } from '../keys.ts';
import type { Cursor, Row, Write } from '../rows/rows.ts';
import type { IndexStore } from '../store.ts';
import type { ReadRow } from './changes.ts';
import { decodeLog } from './decodedRecord.ts';
import { createIndexBatch } from './indexBatch.ts';
import { project } from './projection.ts';

/** Projects and writes batches of logs. */
export interface WriteBehind {
  /**
   * Projects the logs that lead to the cursor. Resolves when their write has started; `onWritten` is called when it is
   * complete.
   */
  put(logs: readonly RecordLog[], cursor: Cursor, onWritten: () => void): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

type Rows = ReadonlyMap<string, Row | undefined>;
const NO_ROWS: Rows = new Map();

const toRows = (writes: readonly Write[]): Rows => new Map(writes.map(({ key, value }) => [toKeyName(key), value]));

/** The writes that apply these logs to the stored rows. */
const projectLogs = (readStored: ReadRow, logs: readonly RecordLog[]): Write[] => {
  const batch = createIndexBatch(readStored);
  for (const log of logs) {
    const record = decodeLog(log);
    if (record !== undefined) batch.add(project(record, batch.read));
  }
  return batch.toWrites();
};

/** Creates a writer to the store. After a failed write, `put` and `end` reject with its error. */
export const createWriteBehind = (store: Pick<IndexStore, 'read' | 'apply'>): WriteBehind => {
  let inFlight: Rows = NO_ROWS;
  let writing: Promise<void> = Promise.resolve();
  const read: ReadRow = (key) => {
    const name = toKeyName(key);
    return inFlight.has(name) ? inFlight.get(name) : store.read(key);
  };
  return {
    put: async (logs, cursor, onWritten) => {
      const writes = projectLogs(read, logs);
      await writing;
      inFlight = toRows(writes);
      writing = store.apply(writes, cursor).then(onWritten);
      // The next call awaits `writing` and rejects; until then the rejection must not count as unhandled.
      writing.catch(() => undefined);
    },
    end: () => writing,
  };
};

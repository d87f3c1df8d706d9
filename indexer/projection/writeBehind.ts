// Writes one batch of records while the next is being projected: LevelDB works on threads of its own. What is on its way is read as if it were
// stored, so that each batch begins where the one before it ends.
import type { RecordLog } from '../../chain/port.ts';
import { toKeyName } from '../keys.ts';
import type { Cursor, Row, Write } from '../rows/rows.ts';
import type { IndexStore } from '../store.ts';
import { createBatch } from './batch.ts';
import type { ReadRow } from './changes.ts';
import { decodeLog } from './decodedRecord.ts';
import { project } from './projection.ts';

export interface WriteBehind {
  /** Projects the logs that bring the index to the cursor. Resolves when they are being written; `onWritten` is told when they are. */
  put(logs: readonly RecordLog[], cursor: Cursor, onWritten: () => void): Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

type Rows = ReadonlyMap<string, Row | undefined>;
const NO_ROWS: Rows = new Map();

const toRows = (writes: readonly Write[]): Rows => new Map(writes.map(({ key, value }) => [toKeyName(key), value]));

/** The writes that bring an index from the rows it has to where these logs leave it. */
const projectLogs = (readStored: ReadRow, logs: readonly RecordLog[]): Write[] => {
  const batch = createBatch(readStored);
  for (const log of logs) {
    const record = decodeLog(log);
    if (record !== undefined) batch.add(project(record, batch.read));
  }
  return batch.toWrites();
};

/** A writer to the store. After a write that failed, `put` and `end` reject with its error. */
export const createWriteBehind = (store: Pick<IndexStore, 'read' | 'apply'>): WriteBehind => {
  let onTheWay: Rows = NO_ROWS;
  let writing: Promise<void> = Promise.resolve();
  const read: ReadRow = (key) => {
    const name = toKeyName(key);
    return onTheWay.has(name) ? onTheWay.get(name) : store.read(key);
  };
  return {
    put: async (logs, cursor, onWritten) => {
      const writes = projectLogs(read, logs);
      await writing;
      onTheWay = toRows(writes);
      writing = store.apply(writes, cursor).then(onWritten);
      // Whoever calls next hears of a failure; until then nobody listens.
      writing.catch(() => undefined);
    },
    end: () => writing,
  };
};

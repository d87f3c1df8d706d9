// The index in another thread of the process that has it open: snapshots of the same database. LevelDB shares its files
// and its cache; a handle has no memory of rows, so that each snapshot has everything that was written before it.
import { Level } from 'level';
import { LedgerError } from '../ledger/errors.ts';
import { createRows, createSnapshot, type IndexDatabase, type Snapshot } from './snapshots.ts';

/** The snapshots of an index. */
export interface SnapshotSource {
  snapshot(): Promise<Snapshot>;
}

/** A handle of an index that is open in another thread. */
export interface SharedIndex extends SnapshotSource {
  /** To be called when all snapshots are closed. */
  close(): Promise<void>;
}

// The thread that opened the index records its damage.
const damage = {
  report: (problem: string, cause?: unknown): LedgerError =>
    new LedgerError('INDEX_DAMAGED', { message: problem, cause }),
};

/**
 * Opens the index of a directory, which must be open in another thread of this process until this handle is closed.
 * Rows must not be deleted meanwhile.
 */
export const openSharedIndex = async (directory: string): Promise<SharedIndex> => {
  const db: IndexDatabase = new Level<Buffer, Buffer>(directory, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing: false,
    multithreading: true,
  });
  await db.open();
  const rows = createRows(damage);
  const generation = {};
  const leave = (): void => undefined;
  return {
    snapshot: async () => createSnapshot(db, rows, { generation, enter: () => leave }),
    close: () => db.close(),
  };
};

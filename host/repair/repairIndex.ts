// The index of a data directory as a repair reads it: a copy, without the damaged rows.
import { Level } from 'level';
import { findFileDamage } from '../../chain/leveldb/fileDamage.ts';
import { createScratchCopy } from '../../chain/leveldb/scratchCopy.ts';
import { openTemporaryDirectory } from '../../chain/temporaryDirectory.ts';
import { type Inventory, readInventory } from '../../indexer/inventory.ts';
import { cursorKey, FIRST_CHECKED_LAYOUT } from '../../indexer/keys.ts';
import type { Cursor } from '../../indexer/rows/rows.ts';
import { decodeCursor } from '../../indexer/store.ts';

export interface SalvagedIndex {
  /** Undefined when the index is empty, or its cursor is damaged. */
  readonly cursor: Cursor | undefined;
  /** The damage of its files or its cursor; undefined when there is none. */
  readonly damage: string | undefined;
  /** Whether its rows have checksums. */
  readonly isChecked: boolean;
  readInventory(afterBlock: number): Promise<Inventory>;
  close(): Promise<void>;
}

type RepairedDatabase = Level<Buffer, Buffer>;

const isEmptyIndex = async (db: RepairedDatabase): Promise<boolean> => (await db.keys({ limit: 1 }).all()).length === 0;

const findDamage = async (
  directory: string,
  db: RepairedDatabase,
  cursor: Cursor | undefined,
): Promise<string | undefined> => {
  const found = await findFileDamage(directory, { isGapless: true });
  if (found !== undefined) return `${found.file}, byte ${found.offset}: ${found.problem}`;
  return cursor === undefined && !(await isEmptyIndex(db))
    ? 'its cursor is missing or has a wrong checksum'
    : undefined;
};

/** Opens a copy of the index in a directory; the index itself stays as it is. */
export const openSalvagedIndex = async (directory: string): Promise<SalvagedIndex> => {
  await using opened = new AsyncDisposableStack();
  const { path: scratch } = opened.adopt(await openTemporaryDirectory('provenance-index-'), ({ remove }) => remove());
  await createScratchCopy(directory, scratch);
  const db: RepairedDatabase = new Level(scratch, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  opened.defer(() => db.close());
  await db.open();
  const stored = await db.get(cursorKey());
  const cursor = stored && decodeCursor(stored);
  const isChecked = cursor === undefined || cursor.layoutVersion >= FIRST_CHECKED_LAYOUT;
  const damage = await findDamage(directory, db, cursor);
  const all = opened.move();
  return {
    cursor,
    damage,
    isChecked,
    readInventory: (afterBlock) => readInventory(db.iterator(), isChecked, afterBlock),
    close: () => all.disposeAsync(),
  };
};

// A LevelDB database of blocks: the journal, or the copy of its newest blocks. Keys are block numbers
// (journalBlock.ts).
import { Level } from 'level';
import { openDatabase } from '../../leveldb/openDatabase.ts';
import { decodeBlockKey, NEWEST_BLOCK_KEY } from './journalBlock.ts';

/** Entries by the bytes of their keys. */
export type BlockDatabase = Level<Uint8Array, Uint8Array>;

/** Opens the database of a directory, which is created if needed. Rejects with LevelDB's error. */
export const openBlockDatabase = (directory: string): Promise<BlockDatabase> =>
  openDatabase(directory, () => new Level(directory, { keyEncoding: 'view', valueEncoding: 'view' }));

/** Number of the newest block; 0 when there is none. */
export const readLastNumber = async (db: BlockDatabase): Promise<number> => {
  for await (const key of db.keys({ lte: NEWEST_BLOCK_KEY, reverse: true, limit: 1 })) return decodeBlockKey(key);
  return 0;
};

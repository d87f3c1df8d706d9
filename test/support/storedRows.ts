// The rows of an index as LevelDB stores them, with their checksums.
import { Level } from 'level';
import { LAYOUT_VERSION } from '../../indexer/keys.ts';
import { applyLogs } from '../../indexer/projection/applyLogs.ts';
import { createIndexStore } from '../../indexer/store.ts';
import { CONTRACT } from './fakeChain.ts';
import { toRecordLog, toWord, type WrittenRecord } from './recordLogs.ts';

/** A key and its stored value, in hexadecimal. */
export type StoredRow = readonly [key: string, value: string];

const readStored = async (directory: string): Promise<StoredRow[]> => {
  const db = new Level<Buffer, Buffer>(directory, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  const rows: StoredRow[] = [];
  for await (const [key, value] of db.iterator()) rows.push([key.toString('hex'), value.toString('hex')]);
  await db.close();
  return rows;
};

/**
 * Writes records to an index in a directory, each in a block of its own from `firstBlock` on. Returns the rows that are
 * then stored.
 */
export const writeAndReadStored = async (
  directory: string,
  records: readonly WrittenRecord[],
  firstBlock: number,
): Promise<StoredRow[]> => {
  const store = await createIndexStore(directory);
  for (const [at, record] of records.entries()) {
    const blockNumber = firstBlock + at;
    const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: toWord(blockNumber) };
    await applyLogs(store, { records: [toRecordLog(record, blockNumber)], attestations: [] }, cursor);
  }
  await store.close();
  return readStored(directory);
};

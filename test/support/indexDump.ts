// Reads all rows of an index, so that two indexes can be compared key by key.
import { dataPaths } from '../../host/files/dataPaths.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';

/** All rows of a store, by key: bytes as hex, others as JSON. */
export const dump = async (store: IndexStore): Promise<Map<string, string>> => {
  const entries = new Map<string, string>();
  for await (const [key, row] of store.entries()) {
    const text = row instanceof Uint8Array ? Buffer.from(row).toString('hex') : JSON.stringify(row);
    entries.set(key.toString('hex'), text);
  }
  return entries;
};

/** All rows of the index of a data directory that is not open. */
export const dumpDirectory = async (dataDir: string): Promise<Map<string, string>> => {
  const store = await createIndexStore(dataPaths(dataDir).index);
  const entries = await dump(store);
  await store.close();
  return entries;
};

// Copies a LevelDB database as it is at one moment, while it is in use, for backups. Its files can't be copied, since
// LevelDB replaces them at any time.
import { Level } from 'level';

type Bytes = { keyEncoding: 'view'; valueEncoding: 'view' };
const BYTES: Bytes = { keyEncoding: 'view', valueEncoding: 'view' };
const CHUNK_BYTES = 1 << 20;

type Put = { type: 'put'; key: Uint8Array; value: Uint8Array };

/**
 * Copies the entries of this moment into a new database. Resolves, with the last entry, when the copy is synced.
 * Rejects when the directory already has a database.
 */
export const copyDatabase = async <K, V>(db: Level<K, V>, directory: string): Promise<Put | undefined> => {
  // An iterator sees the entries of the moment at which it was created.
  const entries = db.iterator<Uint8Array, Uint8Array>({ ...BYTES, highWaterMarkBytes: CHUNK_BYTES });
  const copy = new Level<Uint8Array, Uint8Array>(directory, { ...BYTES, errorIfExists: true });
  let chunk: Put[] = [];
  let bytes = 0;
  let last: Put | undefined;
  try {
    await copy.open();
    for await (const [key, value] of entries) {
      last = { type: 'put', key, value };
      chunk.push(last);
      bytes += key.length + value.length;
      if (bytes < CHUNK_BYTES) continue;
      await copy.batch(chunk, { sync: true });
      chunk = [];
      bytes = 0;
    }
    await copy.batch(chunk, { sync: true });
    return last;
  } finally {
    await entries.close();
    await copy.close();
  }
};

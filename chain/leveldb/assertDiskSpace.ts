// Checks whether a database can be opened again on a disk that was full.
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { LedgerError } from '../../ledger/errors.ts';

/** Bytes of a test write: a disk quota shows in no other way. */
const PROBE_BYTES = 65_536;

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

const readLogBytes = async (directory: string): Promise<number> => {
  const logs = (await readdir(directory)).filter((name) => name.endsWith('.log'));
  const sizes = await Promise.all(logs.map((name) => sizeOf(join(directory, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const writeProbe = async (path: string): Promise<void> => {
  try {
    await using file = await open(path, 'w', 0o600);
    await file.writeFile(Buffer.alloc(PROBE_BYTES));
    await file.sync();
  } finally {
    await rm(path, { force: true });
  }
};

/**
 * Rejects while the disk lacks the space to open the LevelDB database of a directory, which writes the contents of its
 * logs into tables. A failed attempt would leave the database closed, so that reads fail as well.
 */
export const assertDiskSpace = async (directory: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory);
  const neededBytes = (await readLogBytes(directory)) + PROBE_BYTES;
  if (bavail * bsize < neededBytes) {
    const message = `No space left on device: ${directory} needs ${neededBytes} bytes`;
    throw new LedgerError('STORAGE_FULL', { message });
  }
  await writeProbe(join(directory, 'probe'));
};

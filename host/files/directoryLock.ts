// Locks a data directory for one process: the server, or a command that changes the directory. The lock ends with its
// process, however the process ends.
import { mkdir } from 'node:fs/promises';
import { Level } from 'level';
import { LedgerError } from '../../ledger/errors.ts';
import { dataPaths } from './dataPaths.ts';

/**
 * Locks a data directory. Returns a function that unlocks it.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has locked it.
 */
export const lockDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  const { lock } = dataPaths(dataDir);
  await mkdir(lock, { recursive: true, mode: 0o700 });
  // LevelDB locks its databases with the kernel's file locks, on every platform.
  const db = new Level(lock);
  await db.open().catch((cause: Error) => {
    if ((cause.cause as { code?: string } | undefined)?.code !== 'LEVEL_LOCKED') throw cause;
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: `Another process has ${dataDir} open`, cause });
  });
  return () => db.close();
};

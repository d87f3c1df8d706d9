// Locks a data directory for one process: the server, or a command that changes the directory. The lock ends with its
// process, however the process ends.
import { mkdir } from 'node:fs/promises';
import { Level } from 'level';
import { removeDatabaseFiles } from '../../chain/leveldb/cutOffStart.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { dataPaths } from './dataPaths.ts';

const isCode = ({ cause }: Error, code: string): boolean => (cause as { code?: string } | undefined)?.code === code;

const toReason = ({ cause, message }: Error): string => (cause as Error | undefined)?.message ?? message;

/**
 * Locks a data directory. Returns a function that unlocks it.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has locked it.
 */
export const lockDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  const { lock } = dataPaths(dataDir);
  await mkdir(lock, { recursive: true, mode: 0o700 });
  // LevelDB locks its databases with the kernel's file locks, on every platform.
  const db = new Level(lock);
  const refuse = (cause: Error): never => {
    if (!isCode(cause, 'LEVEL_LOCKED')) throw new Error(`${lock} can't be opened: ${toReason(cause)}`, { cause });
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: `Another process has ${dataDir} open`, cause });
  };
  const openAgain = async (cause: Error): Promise<void> => {
    if (isCode(cause, 'LEVEL_LOCKED')) throw cause;
    // It has no rows: whatever a power failure left of it is of no value.
    await removeDatabaseFiles(lock);
    return db.open();
  };
  // While another process is using the files, opening them fails with LEVEL_LOCKED: only otherwise they may be removed.
  await db.open().catch(openAgain).catch(refuse);
  return () => db.close();
};

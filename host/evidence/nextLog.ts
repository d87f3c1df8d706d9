// A block log that continues another one, whose published checkpoints the chain contradicts.
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readCheckpoint } from '../../chain/blockLog/blockLog.ts';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { ACCOUNT_FILE, readText } from '../../chain/blockLog/logFiles.ts';
import {
  type LogIdentity,
  type PreviousLog,
  readLogIdentity,
  writeLogIdentity,
} from '../../chain/blockLog/logIdentity.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { toLogSuccessionIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import { createPrivateDirectory } from '../backup/backupFiles.ts';
import { dataPaths } from '../files/dataPaths.ts';

/** The name of the log that follows one: the next number at its end, from 2 on. */
const toNextOrigin = (origin: string): string => {
  const [, base, number] = /^(.*)\/([2-9]|[1-9][0-9]{1,5})$/.exec(origin) ?? [];
  return base === undefined ? `${origin}/2` : `${base}/${Number(number) + 1}`;
};

// Only a log that published a checkpoint has an end that others may know.
const readEnd = async (directory: string, { origin }: LogIdentity): Promise<PreviousLog | undefined> => {
  const note = await readCheckpoint(directory);
  if (note === undefined) return undefined;
  const { size, root } = decodeCheckpoint(decodeSignedNote(note).text);
  const record = toVersionIdentity(toLogSuccessionIdentity(randomUUID()), randomUUID());
  return { origin, size, root: toHex(root), record, begunAt: toTimestamp(Date.now()) };
};

/** A log that was begun. */
export interface NextLog {
  readonly origin: string;
  /** Where the one before is kept. */
  readonly path: string;
}

/**
 * Begins a new, empty block log with the next name, and moves the one before to a path. The server's next start records
 * where that one ended.
 * @throws Error when there is none.
 */
export const beginNextLog = async (dataDir: string, path: string): Promise<NextLog> => {
  const { log: directory } = dataPaths(dataDir);
  const known = await readLogIdentity(directory);
  if (known === undefined) throw new Error('there is no block log; set LOG_ORIGIN to the name of the new one');
  const origin = toNextOrigin(known.origin);
  const previous = await readEnd(directory, known);
  const account = await readText(join(directory, ACCOUNT_FILE));
  await rename(directory, path);
  await createPrivateDirectory(directory);
  await syncDirectory(dataDir);
  // The chain no longer has the state that the proof of the account is of.
  if (account !== undefined) await createDurableFiles(directory).write(ACCOUNT_FILE, account);
  await writeLogIdentity(directory, { origin, firstBlock: known.firstBlock, ...(previous && { previous }) });
  return { origin, path };
};

// The block log of a restored ledger: complete, and of the restored chain; or a new one, when the old one has published
// checkpoints that the restored chain contradicts.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCheckpoint, readCheckpoint } from '../../chain/blockLog/blockLog.ts';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { ACCOUNT_FILE, readText } from '../../chain/blockLog/logFiles.ts';
import {
  type LogIdentity,
  type PreviousLog,
  readLogIdentity,
  writeLogIdentity,
} from '../../chain/blockLog/logIdentity.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { toLogSuccessionIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import { createPrivateDirectory } from '../backup/backupFiles.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { IndexedChain } from '../indexedChain.ts';
import { openLedgerLog } from './ledgerLog.ts';

/** The name of the log that follows one: the next number at its end, from 2 on. */
export const toNextOrigin = (origin: string): string => {
  const [, base, number] = /^(.*)\/([2-9]|[1-9][0-9]{1,5})$/.exec(origin) ?? [];
  return base === undefined ? `${origin}/2` : `${base}/${Number(number) + 1}`;
};

/**
 * Compares the block log of a restored directory with its chain, and reads all its files. Returns notes for the
 * operator.
 * @throws LedgerError LOG_CORRUPT when it is damaged or of another chain.
 */
export const checkRestoredLog = async (dataDir: string, indexed: IndexedChain): Promise<string[]> => {
  if (!hasCheckpoint(dataPaths(dataDir).log)) return [];
  const { deploymentBlock } = indexed.deployment;
  const { log, signer, witnessed } = await openLedgerLog({ ...indexed, dataDir, deploymentBlock, now: Date.now }, {});
  await log.assertUndamaged();
  await witnessed();
  // A network still has the blocks that were logged after the backup.
  if (indexed.chain.copyJournalTo === undefined) return [];
  return [
    `the block log ${signer.origin} of the backup ends at block ${log.head()!.newestBlock}. If it published a later checkpoint, ` +
      'restore the backup again with --new-log: witnesses refuse a log that continues in another way',
  ];
};

// Only a log that published a checkpoint has an end that others may know.
const readEnd = async (directory: string, { origin }: LogIdentity): Promise<PreviousLog | undefined> => {
  const note = await readCheckpoint(directory);
  if (note === undefined) return undefined;
  const { size, root } = decodeCheckpoint(decodeSignedNote(note).text);
  const record = toVersionIdentity(toLogSuccessionIdentity(randomUUID()), randomUUID());
  return { origin, size, root: toHex(root), record, begunAt: toTimestamp(Date.now()) };
};

/**
 * Replaces the block log of a restored directory by a new, empty one with the next name. The server's next start
 * records where the old one ended.
 * @throws Error when there is none.
 */
export const beginNextLog = async (dataDir: string): Promise<string> => {
  const { log: directory } = dataPaths(dataDir);
  const known = await readLogIdentity(directory);
  if (known === undefined) throw new Error('the backup has no block log; set LOG_ORIGIN to the name of the new one');
  const origin = toNextOrigin(known.origin);
  const previous = await readEnd(directory, known);
  const account = await readText(join(directory, ACCOUNT_FILE));
  await rm(directory, { recursive: true });
  await createPrivateDirectory(directory);
  // The chain no longer has the state that the proof of the account is of.
  if (account !== undefined) await createDurableFiles(directory).write(ACCOUNT_FILE, account);
  await writeLogIdentity(directory, { origin, firstBlock: known.firstBlock, ...(previous && { previous }) });
  return origin;
};

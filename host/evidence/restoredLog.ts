// The block log of a restored ledger: complete, and of the restored chain.
import { hasCheckpoint } from '../../chain/blockLog/blockLog.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { IndexedChain } from '../indexedChain.ts';
import { openLedgerLog } from './ledgerLog.ts';

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

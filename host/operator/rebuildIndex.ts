// Rebuilds the index of a data directory from its chain.
import type { IndexStore } from '../../indexer/store.ts';
import { console } from '../commandProcess.ts';
import type { ReplacedParts } from '../finalBlocks.ts';
import { readConfig } from '../settings/config.ts';
import { reportLine } from '../watching/reports.ts';
import { sendCommand } from './controlClient.ts';
import { findGoneRecords } from './goneRecords.ts';
import { openRebuiltIndexForOperator } from './ledgerForOperator.ts';

const reportReplaced = async ({ index, log }: ReplacedParts, store: IndexStore): Promise<void> => {
  if (index !== undefined) {
    const gone = await findGoneRecords(index, store);
    for (const { record, tenantIdentity, place } of gone)
      reportLine(`${record.identity} of ${tenantIdentity}, of block ${place.blockNumber}, is no longer on the chain`);
    if (gone.length > 0)
      reportLine(`${gone.length} records are no longer on the chain; the index that has them is ${index}`);
  }
  if (log !== undefined)
    reportLine(
      `the block log begins again as ${log.origin} (set LOG_ORIGIN to it if it is set); the one before is ${log.path}`,
    );
};

/**
 * Wipes the index of the data directory (DATA_DIR), rebuilds it from the chain, and prints its newest block. If the
 * chain has replaced final blocks, names each record that it no longer has, and keeps the index and block log of
 * before.
 * @throws Error when a server is running on the directory, or when there is no ledger in it.
 */
export const rebuildIndex = async (): Promise<void> => {
  const { dataDir } = readConfig();
  if ((await sendCommand(dataDir, 'info', {})) !== undefined) {
    throw new Error(`a server is running on ${dataDir}; stop it first`);
  }
  const beganMs = Date.now();
  const { store, replaced, close } = await openRebuiltIndexForOperator(dataDir);
  const cursor = store.readCursor();
  if (replaced !== undefined) await reportReplaced(replaced, store);
  await close();
  const seconds = ((Date.now() - beganMs) / 1000).toFixed(1);
  console.log(
    `index rebuilt to block ${cursor?.blockNumber ?? 0} (${cursor?.blockHash ?? 'no block'}) in ${seconds} s`,
  );
};

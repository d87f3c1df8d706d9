// Rebuilds the index of a data directory from its chain.
import { console } from '../commandProcess.ts';
import type { ReplacedParts } from '../finalBlocks.ts';
import { readConfig } from '../settings/config.ts';
import { reportLine } from '../watching/reports.ts';
import { sendCommand } from './controlClient.ts';
import { openRebuiltIndexForOperator } from './ledgerForOperator.ts';

const reportReplaced = ({ log }: ReplacedParts): void => {
  if (log !== undefined)
    reportLine(
      `the block log begins again as ${log.origin} (set LOG_ORIGIN to it if it is set); the one before is ${log.path}`,
    );
};

/**
 * Wipes the index of the data directory (DATA_DIR), rebuilds it from the chain, and prints its newest block. If the
 * chain has replaced final blocks, keeps and names each record that it no longer has, and keeps the index and block log
 * of before.
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
  if (replaced !== undefined) reportReplaced(replaced);
  await close();
  const seconds = ((Date.now() - beganMs) / 1000).toFixed(1);
  console.log(
    `index rebuilt to block ${cursor?.blockNumber ?? 0} (${cursor?.blockHash ?? 'no block'}) in ${seconds} s`,
  );
};

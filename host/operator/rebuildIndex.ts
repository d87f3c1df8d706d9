// Rebuilds the index of a data directory from its chain.
import { console } from '../commandProcess.ts';
import { readConfig } from '../settings/config.ts';
import { sendCommand } from './controlClient.ts';
import { openRebuiltIndexForOperator } from './ledgerForOperator.ts';

/**
 * Wipes the index of the data directory (DATA_DIR), rebuilds it from the chain, and prints its newest block.
 * @throws Error when a server is running on the directory, or when there is no ledger in it.
 */
export const rebuildIndex = async (): Promise<void> => {
  const { dataDir } = readConfig();
  if ((await sendCommand(dataDir, 'info', {})) !== undefined) {
    throw new Error(`a server is running on ${dataDir}; stop it first`);
  }
  const beganMs = Date.now();
  const { store, close } = await openRebuiltIndexForOperator(dataDir);
  const cursor = store.readCursor();
  await close();
  const seconds = ((Date.now() - beganMs) / 1000).toFixed(1);
  console.log(
    `index rebuilt to block ${cursor?.blockNumber ?? 0} (${cursor?.blockHash ?? 'no block'}) in ${seconds} s`,
  );
};

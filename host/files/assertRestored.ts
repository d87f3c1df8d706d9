import { existsSync } from 'node:fs';
import { dataPaths } from './dataPaths.ts';

/** An unfinished restore must not become a ledger. @throws Error when a restore into the directory did not finish. */
export const assertRestored = (dataDir: string): void => {
  if (!existsSync(dataPaths(dataDir).restoring)) return;
  throw new Error(`a restore into ${dataDir} did not finish; empty the directory and restore again`);
};

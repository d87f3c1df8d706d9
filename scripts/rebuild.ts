// npm run rebuild: throws the index away and makes it anew from the chain.
import { Command } from 'commander';
import { askServer } from '../host/operator/controlClient.ts';
import { openRebuiltIndexForOperator } from '../host/operator/ledgerForOperator.ts';
import { readConfig } from '../host/settings/config.ts';

const run = async (): Promise<void> => {
  const { dataDir } = readConfig();
  if ((await askServer(dataDir, 'info', {})) !== undefined) {
    throw new Error(`a server runs on ${dataDir}; stop it first`);
  }
  const startedMs = Date.now();
  const { store, close } = await openRebuiltIndexForOperator(dataDir);
  const cursor = store.readCursor();
  await close();
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(
    `index rebuilt to block ${cursor?.blockNumber ?? 0} (${cursor?.blockHash ?? 'no block'}) in ${seconds} s`,
  );
};

await new Command('rebuild')
  .description(
    'Throws the index of this data directory (DATA_DIR) away and makes it anew from the chain. Stop the server first.',
  )
  .action(async () => {
    try {
      await run();
    } catch (error) {
      console.error(`not rebuilt: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

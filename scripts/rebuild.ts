// npm run rebuild: wipes the index and rebuilds it from the chain.
import { Command } from 'commander';
import { rebuildIndex } from '../host/operator/rebuildIndex.ts';
import { runCommand } from '../host/operator/runCommand.ts';

await new Command('rebuild')
  .description(
    'Wipes the index of this data directory (DATA_DIR) and rebuilds it from the chain. Stop the server first.',
  )
  .action(() => runCommand('not rebuilt', rebuildIndex))
  .parseAsync();

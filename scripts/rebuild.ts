// npm run rebuild: wipes the index and rebuilds it from the chain.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { rebuildIndex } from '../host/operator/rebuildIndex.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run rebuild` with these arguments. */
export const rebuildCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('rebuild')
      .description(
        'Wipes the index of this data directory (DATA_DIR) and rebuilds it from the chain. Stop the server first.',
      )
      .action(() => runCommand('not rebuilt', rebuildIndex)),
    args,
  );

if (import.meta.main) await runMain(rebuildCommand);

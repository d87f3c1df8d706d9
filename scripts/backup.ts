// npm run backup -- TARGET: copies everything that can't be rebuilt into a new directory, with the server running or
// not.
import { Command } from 'commander';
import { createBackup } from '../host/backup/createBackup.ts';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run backup` with these arguments. */
export const backupCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('backup')
      .description(
        'Copies chain, outbox, blobs and keys of this data directory (DATA_DIR) into a new directory. The server may run or not.',
      )
      .argument('<target>', 'directory that is empty or does not exist')
      .action((target: string) => runCommand('no backup', () => createBackup(target))),
    args,
  );

if (import.meta.main) await runMain(backupCommand);

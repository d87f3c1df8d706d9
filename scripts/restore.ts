// npm run restore -- SOURCE [--new-log]: creates a data directory from a backup, and checks it.
import { Command } from 'commander';
import { restoreBackup } from '../host/backup/restoreBackup.ts';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run restore` with these arguments. */
export const restoreCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('restore')
      .description('Creates this data directory (DATA_DIR), which must be empty, from a backup, and checks it')
      .argument('<source>', 'directory that npm run backup created')
      .option(
        '--new-log',
        'begin a block log with the next name: when the old one published checkpoints after the backup',
      )
      .action((source: string, { newLog: hasNewLog = false }: { newLog?: boolean }) =>
        runCommand('not restored', () => restoreBackup(source, { hasNewLog })),
      ),
    args,
  );

if (import.meta.main) await runMain(restoreCommand);

// npm run migrate -- OLD NEW: copies a ledger of version 0.1 into a new data directory.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { migrate } from '../host/operator/migrate.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run migrate` with these arguments. */
export const migrateCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('migrate')
      .description(
        'Copies the ledger of a data directory of version 0.1, on the embedded chain, into a new directory: keys, files, and every record byte ' +
          'for byte, signed again. Stop the server of the old directory first. It stays as it is.',
      )
      .argument('<old>', 'data directory of version 0.1')
      .argument('<new>', 'directory that does not exist, or is empty')
      .action((source: string, target: string) => runCommand('not migrated', () => migrate(source, target))),
    args,
  );

if (import.meta.main) await runMain(migrateCommand);

// npm run import -- PATH [--tenant NAME]: imports what was exported, here or by another ledger, into a tenant.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { type ImportOptions, importEventsForOperator } from '../host/operator/importEvents.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { TENANT_OPTION } from '../host/operator/tenantOption.ts';
import { createTokenOption, toTokenFileOption } from '../host/operator/tokenOptions.ts';

/** Runs `npm run import` with these arguments. */
export const importCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('import')
      .description(
        'Imports assets, events, locations and policies into a tenant of the running server of this data directory (DATA_DIR). What was imported before is not imported again.',
      )
      .argument('<path>', 'the directory of an export, or a file of records or of lists of them as an API answers')
      .option('--files <directory>', 'files that records attach, by their SHA-256, whatever their names')
      .option(...TENANT_OPTION)
      .option('--url <url>', 'base URL of another server; needs --token-file')
      .option(...toTokenFileOption('bearer token of an application of the other server that may write'))
      .addOption(createTokenOption())
      .addHelpText('after', '\nExit codes: 0 all is imported, 1 some lines are not.')
      .action((path: string, options: ImportOptions) =>
        runCommand('not imported', () => importEventsForOperator(path, options)),
      ),
    args,
  );

if (import.meta.main) await runMain(importCommand);

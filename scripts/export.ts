// npm run --silent export [-- --tenant NAME] [--out FILE]: writes all committed events of a tenant, one on each line.
import { Command, Option } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { type ExportOptions, exportEventsForOperator } from '../host/operator/exportEvents.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { TENANT_OPTION } from '../host/operator/tenantOption.ts';

/** Runs `npm run export` with these arguments. */
export const exportCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('export')
      .description(
        'Writes all committed events of a tenant of this data directory (DATA_DIR), oldest first, one JSON text on each line. The server may run or not.',
      )
      .option(...TENANT_OPTION)
      .addOption(new Option('--out <file>', 'new file; standard output unless given').conflicts('all'))
      .option('--all <directory>', 'new directory for what an import reads: also locations, policies, attached files')
      .action((options: ExportOptions) => runCommand('not exported', () => exportEventsForOperator(options))),
    args,
  );

if (import.meta.main) await runMain(exportCommand);

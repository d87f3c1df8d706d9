// npm run repair: restores the chain of a data directory whose journal is damaged.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';
import { type RepairCommandOptions, repairAndReport } from '../host/repair/repairReport.ts';

const HELP = `
Exit codes: 0 the chain is complete, or was restored with its original hashes; 1 not repaired, and nothing was changed;
2 records were, or must be, appended again in new blocks; 3 records are lost (without --accept-loss nothing was changed).
Replaced files are kept in the data directory under a name with the date.`;

/** Runs `npm run repair` with these arguments. */
export const repairCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('repair')
      .description(
        'Restores the chain of this data directory (DATA_DIR) from its journal and the copy of its newest blocks, and appends the records that only ' +
          'the index still has in new blocks. Stop the server first.',
      )
      .option('--dry-run', 'only report what would be done', false)
      .option('--accept-loss', 'continue even if records are lost', false)
      .addHelpText('after', HELP)
      .action((options: RepairCommandOptions) => runCommand('not repaired', () => repairAndReport(options))),
    args,
  );

if (import.meta.main) await runMain(repairCommand);

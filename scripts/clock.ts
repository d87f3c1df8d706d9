// npm run clock: goes on after the machine's clock was ahead.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { acceptClock } from '../host/operator/acceptClock.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run clock` with these arguments. */
export const clockCommand = (args: readonly string[]): Promise<void> => {
  const program = new Command('clock').description('What to do when the clock was wrong.');
  program
    .command('accept')
    .description(
      'Accepts that records of this data directory (DATA_DIR) are later than the clock, because it was ahead when they ' +
        'were accepted: the server starts again, and new records get the times of the clock. Stop the server first.',
    )
    .option('--yes', 'do not ask')
    .action((options: { yes?: boolean }) => runCommand('not accepted', () => acceptClock(options)));
  return parseCommand(program, args);
};

if (import.meta.main) await runMain(clockCommand);

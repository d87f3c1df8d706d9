// npm run log:key: what those who check the block log must know of it.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { printLogKey } from '../host/operator/printLogKey.ts';
import { runCommand } from '../host/operator/runCommand.ts';

const HELP = `
The log key verifies checkpoints: witnesses and those who check evidence need it. The time key verifies when the log
signed; it belongs to the log itself and is no witness. Give them to others by a way of your own, not by the log.`;

/** Runs `npm run log:key` with these arguments. */
export const logKeyCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('log:key')
      .description('Prints name and verifier keys of the block log of this data directory (DATA_DIR)')
      .option('--trust', "print a trust.json for npm run verify instead, with the log's key; add witnesses to it")
      .addHelpText('after', HELP)
      .action(({ trust: isTrust = false }: { trust?: boolean }) =>
        runCommand('no key was printed', () => printLogKey({ isTrust })),
      ),
    args,
  );

if (import.meta.main) await runMain(logKeyCommand);

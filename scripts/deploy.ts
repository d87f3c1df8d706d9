// npm run deploy -- --rpc URL: deploys the ledger's contract on a network, or finds it there.
import { Command } from 'commander';
import { runMain } from '../host/lifecycle/guardProcess.ts';
import { type DeployOptions, deployLedger } from '../host/operator/deployLedger.ts';
import { parseCommand } from '../host/operator/parseCommand.ts';
import { runCommand } from '../host/operator/runCommand.ts';

/** Runs `npm run deploy` with these arguments. */
export const deployCommand = (args: readonly string[]): Promise<void> =>
  parseCommand(
    new Command('deploy')
      .description('Deploys the ledger of this data directory (DATA_DIR) on a network, or finds it there')
      .option('--rpc <urls>', 'nodes of the network, separated by commas; default: CHAIN_RPC_URL')
      .option(
        '--confirmations <number>',
        'blocks that make a block final, itself included, or: finalized; default: CHAIN_CONFIRMATIONS',
      )
      .option(
        '--fund-from <account>',
        'on a development node: its own account, which brings the paying account to 10 ether',
      )
      .action((options: DeployOptions) => runCommand('not deployed', () => deployLedger(options))),
    args,
  );

if (import.meta.main) await runMain(deployCommand);

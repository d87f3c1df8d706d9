// npm run deploy -- --rpc URL: deploys the ledger's contract on a network, or finds it there.
import { Command } from 'commander';
import { type DeployOptions, deployLedger } from '../host/operator/deployLedger.ts';
import { runCommand } from '../host/operator/runCommand.ts';

await new Command('deploy')
  .description('Deploys the ledger of this data directory (DATA_DIR) on a network, or finds it there')
  .option('--rpc <urls>', 'nodes of the network, separated by commas; default: CHAIN_RPC_URL')
  .option(
    '--confirmations <number>',
    'blocks that make a block final, itself included, or: finalized; default: CHAIN_CONFIRMATIONS',
  )
  .action((options: DeployOptions) => runCommand('not deployed', () => deployLedger(options)))
  .parseAsync();

// npm run deploy -- --rpc URL: puts the ledger's contract on a network, or finds it there.
import { Command } from 'commander';
import { deployNetworkLedger } from '../host/networkLedger.ts';
import { readConfig } from '../host/settings/config.ts';
import { toNetwork } from '../host/settings/networkSettings.ts';

interface Options {
  readonly rpc?: string;
  readonly confirmations?: string;
}

const report = (message: string, cause?: unknown): void =>
  console.error(cause === undefined ? message : `${message}: ${(cause as Error).message}`);

const run = async ({ rpc, confirmations }: Options): Promise<void> => {
  const config = readConfig({
    ...process.env,
    ...(rpc === undefined ? {} : { CHAIN_RPC_URL: rpc }),
    ...(confirmations === undefined ? {} : { CHAIN_CONFIRMATIONS: confirmations }),
  });
  const { dataDir } = config;
  const network = toNetwork(config);
  if (network === undefined) throw new Error('name a node with --rpc, or set CHAIN_RPC_URL');
  const options = { dataDir, network, now: Date.now, onProblem: report };
  const { address, deploymentBlock, chainId } = await deployNetworkLedger(options, (step) => console.error(step));
  console.log(`contract ${address} on chain ${chainId}, deployed in block ${deploymentBlock}`);
};

await new Command('deploy')
  .description('Puts the ledger of this data directory (DATA_DIR) on a network, or finds it there')
  .option('--rpc <urls>', 'nodes of the network, separated by commas; default: CHAIN_RPC_URL')
  .option(
    '--confirmations <number>',
    'blocks that make a block final, itself included, or: finalized; default: CHAIN_CONFIRMATIONS',
  )
  .action(async (options: Options) => {
    try {
      await run(options);
    } catch (error) {
      console.error(`not deployed: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

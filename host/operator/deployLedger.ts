// Deploys the ledger of a data directory on a network.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { console } from '../commandProcess.ts';
import { deployNetworkLedger } from '../networkLedger.ts';
import { readConfigWith } from '../settings/config.ts';
import { toNetwork } from '../settings/networkSettings.ts';
import { reportLine, reportProblem } from '../watching/reports.ts';

export interface DeployOptions {
  /** Nodes of the network, with commas between; undefined: CHAIN_RPC_URL. */
  readonly rpc?: string;
  /** Blocks that make a block final, or `finalized`; undefined: CHAIN_CONFIRMATIONS. */
  readonly confirmations?: string;
  /** Account of a development node that funds the relayer; undefined: nobody does. */
  readonly fundFrom?: string;
}

// What is no address is not repeated: it may be a private key.
const toAccount = (text: string): Hex => {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text as Hex;
  throw new Error('--fund-from takes the address of an account of the node: 0x and 40 hexadecimal digits');
};

/**
 * Deploys the ledger of the data directory (DATA_DIR), or finds it, and prints where it is.
 * @throws Error when no node is named, or the node can't fund from the named account.
 */
export const deployLedger = async ({ rpc, confirmations, fundFrom }: DeployOptions): Promise<void> => {
  const config = readConfigWith({
    ...(rpc === undefined ? {} : { CHAIN_RPC_URL: rpc }),
    ...(confirmations === undefined ? {} : { CHAIN_CONFIRMATIONS: confirmations }),
  });
  const payer = fundFrom === undefined ? undefined : toAccount(fundFrom);
  const { dataDir } = config;
  const network = toNetwork(config);
  if (config.ledgerContract !== undefined)
    throw new Error(
      'LEDGER_CONTRACT names a ledger that is deployed; unset it to deploy one, or start the server to join',
    );
  if (network === undefined) throw new Error('name a node with --rpc, or set CHAIN_RPC_URL');
  const options = { dataDir, network, now: Date.now, onProblem: reportProblem, fundFrom: payer };
  const { address, deploymentBlock, chainId } = await deployNetworkLedger(options, reportLine);
  console.log(`contract ${address} on chain ${chainId}, deployed in block ${deploymentBlock}`);
};

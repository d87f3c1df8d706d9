// The chains that system tests run on: the embedded chain, and a node in another process.
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { deployNetworkLedger, type NetworkOptions } from '../../host/networkLedger.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from './externalNode.ts';
import { atFileEnd } from './fileEnd.ts';

export type TestNetwork = NetworkOptions['network'];

export interface TestChain {
  readonly name: string;
  /** Prepares a data directory for `openTestLedger`. Resolves with the network to open it with. */
  prepare(dataDir: string): Promise<TestNetwork | undefined>;
}

export const EMBEDDED: TestChain = { name: 'the embedded chain', prepare: async () => undefined };

/** Polls nodes more often than a deployment does, so that tests needn't wait. */
export const toNetwork = (...urls: string[]): TestNetwork => ({
  urls,
  confirmations: 1,
  agreeing: 1,
  pollMs: 50,
});

/** Deploys the ledger of a data directory on the chain of a node, and funds its accounts. */
export const deployOn = async (node: ExternalNode, dataDir: string, network: TestNetwork): Promise<void> => {
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  await setBalance(node, (await keyring.openWallet('relayer')).address);
  const options = { dataDir, network, now: Date.now, onProblem: () => undefined };
  await deployNetworkLedger(options, () => undefined);
};

// One node for all ledgers of a test file, each with its own contract.
let shared: Promise<ExternalNode> | undefined;
const shareNode = (): Promise<ExternalNode> => {
  if (shared === undefined) {
    const starting = startNode(QUICK_NODE);
    shared = starting;
    atFileEnd(async () => {
      shared = undefined;
      await (await starting).kill();
    });
  }
  return shared;
};

export const EXTERNAL: TestChain = {
  name: `${QUICK_NODE} in another process`,
  prepare: async (dataDir) => {
    const node = await shareNode();
    const network = toNetwork(node.url);
    await deployOn(node, dataDir, network);
    return network;
  },
};

export const CHAIN_KINDS: readonly TestChain[] = [EMBEDDED, EXTERNAL];

// The ledger on a network: found where this installation deployed it, deployed only by the operator's command, and
// never confused with another.
import { mkdir } from 'node:fs/promises';
import { type Deployment, findLedger, findOrDeployLedger, toLedgerAddress } from '../chain/administration.ts';
import { createRpcChain, type RpcChain } from '../chain/network/rpcChain.ts';
import { createTransactionSender } from '../chain/writing/transactionSender.ts';
import { LedgerError } from '../ledger/errors.ts';
import { dataPaths } from './files/dataPaths.ts';
import { readLedgerBytecode } from './files/ledgerArtifact.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import {
  assertAdministrator,
  assertChainKind,
  type KnownLedger,
  readKnownLedger,
  writeKnownLedger,
} from './knownLedger.ts';
import type { NetworkSettings } from './settings/networkSettings.ts';

export interface NetworkTimes {
  /** Timeout of one answer of a node. */
  readonly timeoutMs: number;
  /** Time between two polls of a node. */
  readonly pollMs: number;
}

const NETWORK_TIMES: NetworkTimes = { timeoutMs: 5_000, pollMs: 500 };

export interface NetworkOptions {
  readonly dataDir: string;
  readonly network: NetworkSettings & Partial<NetworkTimes>;
  readonly now: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

const toCheckpoint = ({ contract, deploymentBlock, deploymentBlockHash }: KnownLedger) => ({
  contract,
  block: { number: deploymentBlock, hash: deploymentBlockHash },
});

/**
 * Connects to the network of a data directory.
 * @throws LedgerError CHAIN_MISMATCH when the nodes are of another network.
 */
export const openNetwork = async ({ dataDir, network, now, onProblem }: NetworkOptions): Promise<RpcChain> => {
  assertChainKind(dataDir, 'network');
  const known = await readKnownLedger(dataDir, 'network');
  const identity = known && { chainId: known.chainId, genesisHash: known.genesisHash };
  const chain = await createRpcChain({ ...NETWORK_TIMES, ...network, identity, now, onProblem });
  try {
    if (known !== undefined) await chain.setCheckpoint(toCheckpoint(known));
    return chain;
  } catch (error) {
    await chain.close();
    throw error;
  }
};

const remember = async (dataDir: string, chain: RpcChain, { address, deploymentBlock }: Deployment): Promise<void> => {
  const hash = await chain.fetchBlockHash(deploymentBlock);
  if (hash === undefined) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `no block ${deploymentBlock}` });
  const { chainId, genesisHash } = chain;
  const known = { chainId, genesisHash, contract: address, deploymentBlock, deploymentBlockHash: hash };
  await writeKnownLedger(dataDir, 'network', known);
  await chain.setCheckpoint(toCheckpoint(known));
};

/**
 * Finds the ledger of `network.json`, or the one that the directory's administrator has deployed.
 * @throws Error when there is none.
 */
export const findNetworkLedger = async (dataDir: string, chain: RpcChain, keyring: Keyring): Promise<Deployment> => {
  const known = await readKnownLedger(dataDir, 'network');
  if (known !== undefined) {
    // Without its keys an installation would create new ones, which the contract doesn't know.
    assertAdministrator(await keyring.requireWallet('ledger-administrator'), known);
    return { address: known.contract, deploymentBlock: known.deploymentBlock };
  }
  const isThere = (await keyring.listWallets()).includes('ledger-administrator');
  const address = isThere && toLedgerAddress(await keyring.requireWallet('ledger-administrator'));
  const found = address === false ? undefined : await findLedger(chain, address);
  if (found === undefined) {
    throw new Error(`chain ${chain.chainId} has no ledger of ${dataDir}; run: npm run deploy -- --rpc URL`);
  }
  await remember(dataDir, chain, found);
  return found;
};

/** Deploys the ledger of a data directory, or finds it. The relayer pays. */
export const deployNetworkLedger = async (
  options: NetworkOptions,
  onStep: (step: string) => void,
): Promise<Deployment & { chainId: number }> => {
  const { dataDir } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const chain = await openNetwork(options);
  try {
    const known = await readKnownLedger(dataDir, 'network');
    const keyring = await openKeyring(dataPaths(dataDir).keys);
    onStep(`chain ${chain.chainId}, block 0 is ${chain.genesisHash}`);
    if (known !== undefined) {
      return { chainId: chain.chainId, address: known.contract, deploymentBlock: known.deploymentBlock };
    }
    const administrator = await keyring.openWallet('ledger-administrator');
    const relayer = await keyring.openWallet('relayer');
    onStep(`administrator of the ledger: ${administrator.address}`);
    onStep(`relayer, which pays for all transactions: ${relayer.address}`);
    onStep('waiting until the deployment is final ...');
    const payer = createTransactionSender(chain, relayer);
    const deployment = await findOrDeployLedger(chain, administrator, await readLedgerBytecode(), payer);
    await remember(dataDir, chain, deployment);
    return { chainId: chain.chainId, ...deployment };
  } finally {
    await chain.close();
  }
};

// The ledger on a network: found where this installation deployed it, deployed only by the operator's command, and
// never confused with another.
import { mkdir } from 'node:fs/promises';
import { formatEther } from 'ethers';
import { type Deployment, findLedger, findOrDeployLedger, toLedgerAddress } from '../chain/administration.ts';
import { createRpcChain, type RpcChain } from '../chain/network/rpcChain.ts';
import type { Wallet } from '../chain/wallet.ts';
import { fundFromNode } from '../chain/writing/fundFromNode.ts';
import { createTransactionSender } from '../chain/writing/transactionSender.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { dataPaths } from './files/dataPaths.ts';
import { readLedgerBytecode } from './files/ledgerArtifact.ts';
import { findJoinedLedger } from './joinedLedger.ts';
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

/** The times of a network whose settings name none. */
export const NETWORK_TIMES: NetworkTimes = { timeoutMs: 5_000, pollMs: 500 };

export interface NetworkOptions {
  readonly dataDir: string;
  readonly network: NetworkSettings & Partial<NetworkTimes>;
  readonly now: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** Ends the wait for the nodes when it is aborted. */
  readonly ending?: AbortSignal | undefined;
}

const toCheckpoint = ({ contract, deploymentBlock, deploymentBlockHash }: KnownLedger) => ({
  contract,
  block: { number: deploymentBlock, hash: deploymentBlockHash },
});

/**
 * Connects to the network of a data directory.
 * @throws LedgerError CHAIN_MISMATCH when the nodes are of another network.
 */
export const openNetwork = async ({ dataDir, network, ...given }: NetworkOptions): Promise<RpcChain> => {
  assertChainKind(dataDir, 'network');
  const known = await readKnownLedger(dataDir, 'network');
  const identity = known && { chainId: known.chainId, genesisHash: known.genesisHash };
  await using opened = new AsyncDisposableStack();
  const chain = opened.adopt(await createRpcChain({ ...NETWORK_TIMES, ...network, ...given, identity }), ({ close }) =>
    close(),
  );
  if (known !== undefined) await chain.setCheckpoint(toCheckpoint(known));
  opened.move();
  return chain;
};

const remember = async (
  dataDir: string,
  chain: RpcChain,
  { address, deploymentBlock }: Deployment,
  role: Pick<KnownLedger, 'joined'> = {},
): Promise<void> => {
  const hash = await chain.fetchBlockHash(deploymentBlock);
  if (hash === undefined) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `no block ${deploymentBlock}` });
  const { chainId, genesisHash } = chain;
  const known = { chainId, genesisHash, contract: address, deploymentBlock, deploymentBlockHash: hash, ...role };
  await writeKnownLedger(dataDir, 'network', known);
  await chain.setCheckpoint(toCheckpoint(known));
};

// Undefined without the key of an administrator.
const findOwnAddress = async (keyring: Keyring): Promise<Hex | undefined> => {
  if (!(await keyring.listWallets()).includes('ledger-administrator')) return undefined;
  return toLedgerAddress(await keyring.requireWallet('ledger-administrator'));
};

// Without its keys an installation would create new ones, which the contract doesn't know.
const assertKeys = async (known: KnownLedger, keyring: Keyring): Promise<void> => {
  if (known.joined !== true) assertAdministrator(await keyring.requireWallet('ledger-administrator'), known);
};

const assertSameContract = (dataDir: string, own: Hex | undefined, named: Hex | undefined): void => {
  if (own === undefined || named === undefined || own === named) return;
  const message = `LEDGER_CONTRACT is ${named}, and the ledger of ${dataDir} is ${own}; choose another DATA_DIR, or unset it`;
  throw new LedgerError('CHAIN_MISMATCH', { message });
};

/** Where a ledger on a network is found. */
export interface NetworkPlace {
  readonly dataDir: string;
  /** The contract that the settings name; undefined: the directory's own. */
  readonly contract?: Hex | undefined;
  readonly onProblem: (message: string) => void;
  /** Ends the wait for the nodes when it is aborted. */
  readonly ending?: AbortSignal | undefined;
}

/**
 * Finds the ledger of `network.json`, the one that the directory's administrator has deployed, or, of another
 * installation, the one that the settings name, which the directory keeps from then on.
 * @throws LedgerError CHAIN_MISMATCH when the directory's is not the one that the settings name, those of
 * `findJoinedLedger`, and Error when there is none.
 */
export const findNetworkLedger = async (
  { dataDir, contract, onProblem, ending }: NetworkPlace,
  chain: RpcChain,
  keyring: Keyring,
): Promise<Deployment> => {
  const known = await readKnownLedger(dataDir, 'network');
  const own = known?.contract ?? (await findOwnAddress(keyring));
  assertSameContract(dataDir, own, contract);
  if (known !== undefined) {
    await assertKeys(known, keyring);
    return { address: known.contract, deploymentBlock: known.deploymentBlock };
  }
  if (own === undefined && contract !== undefined) {
    const joined = await findJoinedLedger(chain, contract, onProblem);
    await remember(dataDir, chain, joined, { joined: true });
    return joined;
  }
  const found = own === undefined ? undefined : await findLedger(chain, own, ending);
  if (found === undefined) {
    const remedies =
      'run: npm run deploy -- --rpc URL, or name the ledger of another organisation with LEDGER_CONTRACT';
    throw new Error(`chain ${chain.chainId} has no ledger of ${dataDir}; ${remedies}`);
  }
  await remember(dataDir, chain, found);
  return found;
};

export interface DeploymentOptions extends NetworkOptions {
  /** An account of a development node itself, from which the relayer is funded; undefined: it is funded already. */
  readonly fundFrom?: Hex | undefined;
}

/** Deploys the ledger of a data directory, or finds it. The relayer pays. */
export const deployNetworkLedger = async (
  options: DeploymentOptions,
  onStep: (step: string) => void,
): Promise<Deployment & { chainId: number }> => {
  const { dataDir, fundFrom, ending: signal } = options;
  const fund = async ({ address }: Pick<Wallet, 'address'>): Promise<void> => {
    if (fundFrom === undefined) return;
    const wei = await fundFromNode(chain, fundFrom, address, signal);
    onStep(`transferred ${formatEther(wei)} ether from ${fundFrom} to ${address}`);
  };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  const chain = opened.adopt(await openNetwork(options), ({ close }) => close());
  const known = await readKnownLedger(dataDir, 'network');
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  onStep(`chain ${chain.chainId}, block 0 is ${chain.genesisHash}`);
  if (known !== undefined) {
    if (fundFrom !== undefined) await fund(await keyring.requireWallet('relayer'));
    return { chainId: chain.chainId, address: known.contract, deploymentBlock: known.deploymentBlock };
  }
  const administrator = await keyring.openWallet('ledger-administrator');
  const relayer = await keyring.openWallet('relayer');
  onStep(`administrator of the ledger: ${administrator.address}`);
  onStep(`relayer, which pays for all transactions: ${relayer.address}`);
  await fund(relayer);
  onStep('waiting until the deployment is final ...');
  const payer = createTransactionSender(chain, relayer);
  const deployment = await findOrDeployLedger(chain, administrator, await readLedgerBytecode(), { payer, signal });
  await remember(dataDir, chain, deployment);
  return { chainId: chain.chainId, ...deployment };
};

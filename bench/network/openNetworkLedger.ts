// A ledger of a benchmark on a network: funded, deployed, and the keys that sign for it.
import { createJsonRpcClient, type JsonRpcClient } from '../../chain/jsonRpc/jsonRpcClient.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { deployNetworkLedger } from '../../host/networkLedger.ts';
import { readConfigWith } from '../../host/settings/config.ts';
import { toNetwork } from '../../host/settings/networkSettings.ts';
import { openTenantWallets } from '../../host/wallets/tenantWallets.ts';
import { reportLine, reportProblem } from '../../host/watching/reports.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fundRelayer } from './funding.ts';
import type { Signers } from './signedBatches.ts';

/** What a benchmark deploys. */
export interface DeployOrder {
  readonly dataDir: string;
  /** Nodes of the network, with commas between; the first is asked directly, too. */
  readonly rpc: string;
  /** How long the benchmark will run. */
  readonly seconds: number;
  readonly fundingKeyFile: string | undefined;
}

/** A deployed ledger. */
export interface DeployedLedger {
  readonly client: JsonRpcClient;
  readonly chainId: number;
  readonly contract: Hex;
  /** The node's name and version, as it states them. */
  readonly node: string;
}

const TIMEOUT_MS = 60_000;
const ANSWER_BYTES_MAX = 256 * 2 ** 20;

/** Funds the relayer of a fresh data directory where gas costs something, and deploys a ledger. */
export const deployForBench = async ({
  dataDir,
  rpc,
  seconds,
  fundingKeyFile,
}: DeployOrder): Promise<DeployedLedger> => {
  const network = toNetwork(readConfigWith({ CHAIN_RPC_URL: rpc }))!;
  const client = createJsonRpcClient({
    url: network.urls[0]!,
    timeoutMs: TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const chainId = Number(await client.request('eth_chainId', []));
  const node = String(await client.request('web3_clientVersion', []));
  const { address: relayer } = await (await openKeyring(dataPaths(dataDir).keys)).openWallet('relayer');
  await fundRelayer({ client, chainId, relayer, seconds, keyFile: fundingKeyFile, onWaiting: reportLine });
  const options = { dataDir, network, now: Date.now, onProblem: reportProblem };
  const { address: contract } = await deployNetworkLedger(options, reportLine);
  return { client, chainId, contract, node };
};

/** The wallets of the only tenant of a data directory, which no server has open. */
export const openSigners = async (
  dataDir: string,
  { chainId, contract }: DeployedLedger,
  assets: readonly string[],
): Promise<Signers> => {
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  const wallets = await openTenantWallets(keyring);
  const tenantIdentity = wallets.tenantIdentities()[0]!;
  const [author, relayer] = [wallets.authorOf(tenantIdentity), await keyring.requireWallet('relayer')];
  return { chainId, contract, tenantIdentity, author, relayer, assets };
};

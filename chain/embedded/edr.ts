// Hardhat's network runtime, EDR, as one in-process node. Its JavaScript surface is not a documented interface: it is
// pinned to one version, and no other file imports it (docs/adr/0002-embedded-edr.md).
import {
  CANCUN,
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  type Provider,
  type ProviderConfig,
} from '@nomicfoundation/edr';
import { fromHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { RPC_CODE, RpcError } from '../jsonRpc/rpcError.ts';
import { type GenesisConfig, NOBODY } from './genesis.ts';

/** A JSON-RPC request without its envelope. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node in this process. Every method rejects with `RpcError` when the node answers with an error. */
export interface Edr {
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The same, with the result as JSON text: large answers go to third parties without being parsed here. */
  requestText(method: string, params: readonly unknown[]): Promise<string>;
  /** Sends several requests in order with nothing in between. The first that fails ends them. */
  requestAll(calls: readonly RpcCall[]): Promise<unknown[]>;
}

const HARDFORKS = { cancun: CANCUN } as const;
const RESULT_PREFIX = '{"result":';

// EDR allows one context per process; the chains of a process share nothing else.
const context = new EdrContext();
const registered = context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());

const toProviderConfig = (config: GenesisConfig): ProviderConfig => ({
  hardfork: HARDFORKS[config.hardfork],
  chainId: BigInt(config.chainId),
  networkId: BigInt(config.chainId),
  genesisState: l1GenesisState(l1HardforkFromString(HARDFORKS[config.hardfork])),
  network: {
    genesisBlockGasLimit: BigInt(config.blockGasLimit),
    genesisBlockTime: BigInt(config.genesisTimeSeconds),
  },
  // Automatic mining: a transaction is mined alone or refused, and none waits in a pool.
  mining: { autoMine: true, blockGasLimit: BigInt(config.blockGasLimit), memPool: { order: MineOrdering.Fifo } },
  transactionGasCap: BigInt(config.transactionGasMax),
  defaultTransactionGasLimit: BigInt(config.transactionGasMax),
  initialBaseFeePerGas: 0n,
  minGasPrice: 0n,
  coinbase: Buffer.from(fromHex(config.coinbase ?? NOBODY)),
  ownedAccounts: [],
  allowBlocksWithSameTimestamp: true,
  allowUnlimitedContractSize: false,
  bailOnCallFailure: true,
  bailOnTransactionFailure: false,
  precompileOverrides: [],
  observability: {},
});

const createProvider = async (config: GenesisConfig): Promise<Provider> => {
  await registered;
  return context.createProvider(
    L1_CHAIN_TYPE,
    toProviderConfig(config),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder(),
  );
};

const isHex = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value);

// EDR answers a failed call with `{ reason, data, transactionHash }`; other nodes answer with the bare bytes, and
// clients expect those.
const toRpcError = (text: string): RpcError => {
  const { error } = JSON.parse(text) as { error: { code: number; message: string; data?: unknown } };
  const { reason, data } = (error.data ?? {}) as { reason?: object; data?: unknown };
  if (!isHex(data)) return new RpcError(error.code, error.message);
  const isRevert = reason !== undefined && Object.hasOwn(reason, 'Revert');
  return new RpcError(isRevert ? RPC_CODE.REVERTED : error.code, error.message, data);
};

const invoke = async (provider: Provider, payload: RpcCall | readonly RpcCall[]): Promise<string> => {
  const { data } = await provider.handleRequest(JSON.stringify(payload)).catch((cause: unknown) => {
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: 'The embedded chain failed to answer', cause });
  });
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (!text.startsWith(RESULT_PREFIX)) throw toRpcError(text);
  return text.slice(RESULT_PREFIX.length, -1);
};

/** Starts a chain at its genesis block. */
export const createEdr = async (config: GenesisConfig): Promise<Edr> => {
  const provider = await createProvider(config);
  return {
    request: async (method, params) => JSON.parse(await invoke(provider, { method, params })) as unknown,
    requestText: (method, params) => invoke(provider, { method, params }),
    requestAll: async (calls) => JSON.parse(await invoke(provider, calls)) as unknown[],
  };
};

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
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { type AnswerText, type Edr, toEdr } from './engine/toEdr.ts';
import { type GenesisConfig, NOBODY } from './genesis.ts';

export type { Edr, RpcCall } from './engine/toEdr.ts';

const HARDFORKS = { cancun: CANCUN } as const;

// EDR allows one context per process; the chains of a process share nothing else. A process whose engine is elsewhere
// has none, since a context has threads.
let opening: Promise<EdrContext> | undefined;

const createContext = async (): Promise<EdrContext> => {
  const context = new EdrContext();
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return context;
};

const openContext = (): Promise<EdrContext> => {
  opening ??= createContext();
  return opening;
};

type Beginning = Pick<ProviderConfig, 'genesisState' | 'network' | 'initialParentBeaconBlockRoot'>;

const toGenesis = (config: GenesisConfig): Beginning => ({
  genesisState: l1GenesisState(l1HardforkFromString(HARDFORKS[config.hardfork])),
  network: {
    genesisBlockGasLimit: BigInt(config.blockGasLimit),
    genesisBlockTime: BigInt(config.genesisTimeSeconds),
  },
});

const toProviderConfig = (config: GenesisConfig, beginning: Beginning): ProviderConfig => ({
  ...beginning,
  hardfork: HARDFORKS[config.hardfork],
  chainId: BigInt(config.chainId),
  networkId: BigInt(config.chainId),
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

const createProvider = async (config: GenesisConfig, beginning: Beginning): Promise<Provider> => {
  const context = await openContext();
  return context.createProvider(
    L1_CHAIN_TYPE,
    toProviderConfig(config, beginning),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder(),
  );
};

const toAnswerText =
  (provider: Provider): AnswerText =>
  async (payload) => {
    const { data } = await provider.handleRequest(payload);
    return typeof data === 'string' ? data : JSON.stringify(data);
  };

/** Starts a chain at its genesis block, as the function that answers the text of a request, or of a list of them. */
export const openProvider = async (config: GenesisConfig): Promise<AnswerText> =>
  toAnswerText(await createProvider(config, toGenesis(config)));

/** Starts a chain at its genesis block. */
export const createEdr = async (config: GenesisConfig): Promise<Edr> => toEdr(await openProvider(config));

/** A block of a chain, and what the engine draws for the block after it. */
export interface ForkPoint {
  readonly number: number;
  readonly hash: Hex;
  /** Its successor's `mixHash`. */
  readonly nextRandao: Hex;
  /** Its successor's `parentBeaconBlockRoot`; undefined after the genesis block, where the engine knows it. */
  readonly nextBeaconRoot: Hex | undefined;
}

/** Where a fork reads the state of its block. */
export interface ForkSource {
  /** URL of a JSON-RPC node that has the chain. */
  readonly url: string;
  /** Directory in which EDR keeps answers of the node about old blocks. */
  readonly cacheDirectory: string;
}

const toFork = (config: GenesisConfig, point: ForkPoint, { url, cacheDirectory }: ForkSource): Beginning => ({
  genesisState: [],
  network: {
    url,
    blockNumber: BigInt(point.number),
    cacheDir: cacheDirectory,
    chainOverrides: [
      {
        chainId: BigInt(config.chainId),
        name: 'ledger',
        hardforkActivationOverrides: [{ condition: { blockNumber: 0n }, hardfork: HARDFORKS[config.hardfork] }],
      },
    ],
  },
  ...(point.nextBeaconRoot !== undefined && {
    initialParentBeaconBlockRoot: Buffer.from(fromHex(point.nextBeaconRoot)),
  }),
});

/** Starts a fork of a chain, whose next block is executed as that chain's next block. */
export const openFork = async (config: GenesisConfig, point: ForkPoint, source: ForkSource): Promise<AnswerText> => {
  const answerText = toAnswerText(await createProvider(config, toFork(config, point, source)));
  await toEdr(answerText).request('hardhat_setPrevRandao', [point.nextRandao]);
  return answerText;
};

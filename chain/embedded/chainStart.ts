// The start of an embedded chain: its genesis, and the engines that execute its journal.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { BlockProducer, DurableBlock } from './blockProducer.ts';
import type { ChainEngine, StartEngine } from './engine/engine.ts';
import { createEngineRuns, type EngineRuns } from './engine/engineRuns.ts';
import { startEngineInside } from './engine/insideEngine.ts';
import { createGenesisConfig, type Genesis, type GenesisConfig, OutdatedLedger } from './genesis.ts';
import type { Journal } from './journal/journal.ts';
import type { KeptLogsReader } from './keptLogs.ts';
import { type ReplayProgress, replayJournal } from './replayJournal.ts';
import type { LedgerAccounts } from './thirdPartyBlocks.ts';

/** Options of a start. */
export interface StartOptions {
  /** Chain id of a new chain; an existing chain keeps its own. */
  readonly chainId: number;
  /**
   * Returns the lower-case address that the blocks of a new chain name as their beneficiary; an existing chain keeps
   * its own.
   */
  readonly openCoinbase?: () => Promise<Hex>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** By default the engine is in this process. */
  readonly startEngine?: StartEngine | undefined;
  /** Milliseconds before each further engine, when one has ended by itself. */
  readonly enginePausesMs?: readonly number[] | undefined;
  /** Called when too many engines have ended in a row: every request is refused from then on. */
  readonly onEngineGivenUp?: ((cause: LedgerError) => void) | undefined;
  /** Whether a chain of version 0.1 may be opened, to read it. */
  readonly opensOutdated?: boolean;
  readonly onProblem?: (message: string, cause?: unknown) => void;
}

/** The genesis of a chain, and how an engine begins with it. */
export interface ChainStart {
  readonly config: GenesisConfig;
  /** Starts an engine, whose genesis block must be that of the journal. */
  readonly start: () => Promise<ChainEngine>;
  /** The genesis block, once an engine has started. */
  readonly readGenesis: () => DurableBlock;
}

const createConfig = async ({ chainId, now, openCoinbase }: StartOptions): Promise<GenesisConfig> =>
  createGenesisConfig(chainId, Math.floor(now() / 1000), await openCoinbase?.());

const assertGenesis = async (
  journal: Journal,
  known: Genesis | undefined,
  { config, hash }: Genesis,
): Promise<void> => {
  if (known === undefined) await journal.writeGenesis({ config, hash });
  else if (known.hash !== hash)
    throw new LedgerError('CHAIN_CORRUPT', { message: `The hash of the genesis block is ${hash}, not ${known.hash}` });
};

/**
 * Reads the genesis of a journal, or prepares that of a new chain.
 * @throws OutdatedLedger when the chain is of version 0.1
 */
export const prepareStart = async (journal: Journal, options: StartOptions): Promise<ChainStart> => {
  let known = await journal.readGenesis();
  if (known?.config.formatVersion === 1 && options.opensOutdated !== true) throw new OutdatedLedger();
  const config = known?.config ?? (await createConfig(options));
  const startEngine = options.startEngine ?? startEngineInside;
  const start = async (): Promise<ChainEngine> => {
    const engine = await startEngine(config);
    try {
      const { hash } = (await engine.request('eth_getBlockByNumber', ['0x0', false])) as { hash: Hex };
      await assertGenesis(journal, known, { config, hash });
      known = { config, hash };
      return engine;
    } catch (error) {
      await engine.close();
      throw error;
    }
  };
  const readGenesis = (): DurableBlock => ({
    number: 0,
    hash: known!.hash,
    timestampSeconds: config.genesisTimeSeconds,
  });
  return { config, start, readGenesis };
};

/** The newest block of a journal. */
export const readHead = async (journal: Journal, genesis: DurableBlock): Promise<DurableBlock> => {
  const number = await journal.readLastNumber();
  if (number === 0) return genesis;
  const { hash, timestampSeconds } = (await journal.readBlock(number))!;
  return { number, hash, timestampSeconds };
};

// Rejects with the reason of the signal when that comes first.
const orAbort = (task: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    task.then(resolve, reject);
  });

/** The engines of a chain, which execute its journal. `produced` is called when they do. */
export const createRuns = (
  journal: Journal,
  options: StartOptions,
  { start, readGenesis }: ChainStart,
  replaying: {
    accounts: LedgerAccounts | undefined;
    keptLogs: KeptLogsReader;
    produced: () => BlockProducer;
    checkMemory: (blockNumber: number) => void;
  },
): EngineRuns => {
  const { accounts, keptLogs, produced, checkMemory } = replaying;
  const replay = async (edr: ChainEngine, signal: AbortSignal, onBlocks: (progress: ReplayProgress) => void) => {
    const onProgress = (progress: ReplayProgress): void => {
      onBlocks(progress);
      checkMemory(progress.blocksDone);
      options.onProgress?.(progress);
    };
    await orAbort(produced().written(), signal);
    const replayed = await replayJournal({ edr, journal, genesis: readGenesis(), accounts, signal, onProgress });
    await keptLogs.assertSame(edr);
    return replayed;
  };
  const { onProblem = () => undefined, onEngineGivenUp: onGivenUp, enginePausesMs: pausesMs } = options;
  const blocksTotal = (): number => produced().head.number;
  return createEngineRuns({ start, replay, blocksTotal, onProblem, onGivenUp, pausesMs });
};

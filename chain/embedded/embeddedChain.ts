// A Hardhat network inside this process that survives a restart: the chain is in memory, and the journal on the disk
// holds what is needed to execute it again. A block is acknowledged, final and visible only once it is on the disk.
// While the disk refuses a block, the chain serves the blocks before it only. When memory and disk may differ in
// another way, it refuses everything until the next start.
import process from 'node:process';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { createHeadListeners } from '../headListeners.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef, ChainPort } from '../port.ts';
import { type BlockProducer, createBlockProducer, type DurableBlock } from './blockProducer.ts';
import { type ChainAccess, createChainAccess } from './chainAccess.ts';
import { collectAnswers } from './collectAnswers.ts';
import { createEdr, type Edr } from './edr.ts';
import { createGenesisConfig, type Genesis, type GenesisConfig, NOBODY } from './genesis.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import { createMemoryWatch, type MemoryUse, type MemoryWatch, readMemoryUse } from './memoryWatch.ts';
import { pickRecordLogs, readEmbeddedLogs } from './readEmbeddedLogs.ts';
import { type ReplayProgress, replayJournal } from './replayJournal.ts';
import { createExecutionGas, EXECUTION_GAS_MAX, type ExecutionReads } from './rpc/executionGas.ts';
import { createPublicGas, PUBLIC_GAS_LIMITS, type PublicGasLimits } from './rpc/publicGas.ts';
import { createPublicMethods, type RpcAnswer } from './rpc/publicMethods.ts';
import type { LedgerAccounts } from './thirdPartyBlocks.ts';

/** The embedded chain: the port, and what only this chain offers. */
export interface EmbeddedChain extends ChainPort {
  /** Number of blocks, with one transaction each, that were replayed from the journal at the start. */
  readonly blocksReplayed: number;
  /**
   * Time of the journal's newest block at the start, in seconds since 1970; the genesis time if there was no other
   * block.
   */
  readonly replayedUntilSeconds: number;
  /** Answers a public JSON-RPC method with the result as JSON text. */
  readonly answer: RpcAnswer;
  /**
   * Copies the journal as it is now into another directory, for a backup. Resolves with the newest block that the copy
   * has.
   */
  copyJournalTo(directory: string): Promise<BlockRef>;
  /** The reason why the chain accepts no transactions now; undefined when it does. */
  findHealthIssue(): string | undefined;
  /** Address that every block names as its beneficiary. */
  readonly coinbase: Hex;
  /** Finishes the block that is being produced, refuses everything else, and closes the journal. */
  close(): Promise<void>;
}

/** Options of the embedded chain. */
export interface EmbeddedChainOptions {
  /** Directory of the journal's database. */
  readonly directory: string;
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
  readonly onMemoryWarning?: (use: MemoryUse) => void;
  /** Called when the disk refuses a block, when it accepts blocks again, and when memory use cannot be read. */
  readonly onProblem?: (message: string, cause?: unknown) => void;
  /** Milliseconds between two attempts to write a block that the disk refused. */
  readonly recoveryPeriodMs?: number;
  /**
   * Returns the accounts of the ledger on this chain; undefined until there is a ledger, and called again until then.
   * The code at the contract's address is trusted: it gets a higher gas limit than other code.
   */
  readonly findLedgerAccounts?: () => Promise<LedgerAccounts | undefined>;
  /** Largest gas limit for the steps of a third party's call or transaction, besides its intrinsic gas. */
  readonly callGasMax?: number | undefined;
  /** Gas that transactions of the public methods may use. */
  readonly publicGas?: PublicGasLimits | undefined;
  readonly openJournal?: (directory: string) => Promise<Journal>;
  readonly readMemoryUse?: () => MemoryUse;
  readonly readAvailableBytes?: () => number;
}

const TRANSACTION_BYTES_MAX = 512 * 1024;
const BLOCKS_PER_MEMORY_CHECK = 16;
const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

interface ChainStart {
  readonly edr: Edr;
  readonly config: Genesis['config'];
  readonly genesis: DurableBlock;
}

const createConfig = async ({ chainId, now, openCoinbase }: EmbeddedChainOptions): Promise<GenesisConfig> =>
  createGenesisConfig(chainId, Math.floor(now() / 1000), await openCoinbase?.());

const startAtGenesis = async (journal: Journal, options: EmbeddedChainOptions): Promise<ChainStart> => {
  const known = await journal.readGenesis();
  const config = known?.config ?? (await createConfig(options));
  const edr = await createEdr(config);
  const { hash } = (await edr.request('eth_getBlockByNumber', ['0x0', false])) as { hash: Hex };
  if (known === undefined) await journal.writeGenesis({ config, hash });
  if (known !== undefined && known.hash !== hash) {
    throw new LedgerError('CHAIN_CORRUPT', { message: `The hash of the genesis block is ${hash}, not ${known.hash}` });
  }
  return { edr, config, genesis: { number: 0, hash, timestampSeconds: config.genesisTimeSeconds } };
};

const createWatch = (options: EmbeddedChainOptions): MemoryWatch =>
  createMemoryWatch({
    readUse: options.readMemoryUse ?? readMemoryUse,
    onWarning: options.onMemoryWarning ?? (() => undefined),
    onProblem: (cause) => options.onProblem?.('the memory in use cannot be read', cause),
  });

const checkSometimes = (watch: MemoryWatch, number: number): void => {
  if (number % BLOCKS_PER_MEMORY_CHECK === 0) watch.check();
};

interface Running extends ChainStart {
  readonly producer: BlockProducer;
  readonly access: ChainAccess;
  /** Gas that third-party transactions have used so far. */
  readonly thirdPartySpent: number;
}

const createExecutionReads = (options: EmbeddedChainOptions, edr: Edr): ExecutionReads => {
  let known: LedgerAccounts | undefined;
  return {
    fetchLedger: async () => {
      known ??= await options.findLedgerAccounts?.();
      return known?.contract;
    },
    hasCode: async (address) => (await edr.request('eth_getCode', [address, 'latest'])) !== '0x',
  };
};

const createAnswer = (
  options: EmbeddedChainOptions,
  { edr, config, producer, access, thirdPartySpent }: Running,
): RpcAnswer =>
  createPublicMethods({
    read: (task) => access.read(task, 'thirdParty'),
    request: edr.requestText,
    readFinal: edr.requestText,
    submit: access.submit,
    fetchFinalHead: async () => {
      access.assertRunning();
      return producer.head;
    },
    executionGas: createExecutionGas({
      gasMax: options.callGasMax ?? EXECUTION_GAS_MAX,
      transactionGasMax: config.transactionGasMax,
      readAvailableBytes: options.readAvailableBytes ?? (() => process.availableMemory()),
    }),
    executionReads: createExecutionReads(options, edr),
    publicGas: createPublicGas({ limits: options.publicGas ?? PUBLIC_GAS_LIMITS, thirdPartySpent, now: options.now }),
    collectAnswers,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
  });

type PortReads = Pick<ChainPort, 'fetchFinalHead' | 'fetchBlockHash' | 'fetchRecordLogs' | 'fetchNonce'>;

const createPortReads = ({ edr, producer, access }: Running): PortReads => ({
  fetchFinalHead: async () => {
    access.assertRunning();
    const { number, hash } = producer.head;
    return { number, hash };
  },
  fetchBlockHash: async (number) => {
    access.assertRunning();
    if (number > producer.head.number) return undefined;
    const block = (await edr.request('eth_getBlockByNumber', [toQuantity(number), false])) as { hash: Hex } | null;
    return block?.hash;
  },
  fetchRecordLogs: async ({ address, fromBlock, toBlock }) => {
    access.assertRunning();
    const { head, headLogs } = producer;
    const isHead = fromBlock === head.number && toBlock === head.number;
    if (isHead && headLogs !== undefined) return pickRecordLogs(headLogs, address);
    return readEmbeddedLogs(edr, { address, fromBlock, toBlock: Math.min(toBlock, producer.head.number) });
  },
  fetchNonce: async (address) =>
    Number(await access.read(() => edr.request('eth_getTransactionCount', [address, 'latest']))),
});

const startChain = async (journal: Journal, options: EmbeddedChainOptions): Promise<EmbeddedChain> => {
  const watch = createWatch(options);
  const start = await startAtGenesis(journal, options);
  const onProgress = (progress: ReplayProgress): void => {
    checkSometimes(watch, progress.blocksDone);
    options.onProgress?.(progress);
  };
  const accounts = await options.findLedgerAccounts?.();
  const replayed = await replayJournal({ edr: start.edr, journal, genesis: start.genesis, accounts, onProgress });
  const { head } = replayed;
  const listeners = createHeadListeners();
  listeners.add(({ number }) => checkSometimes(watch, number));
  const { now } = options;
  const producer = createBlockProducer({
    edr: start.edr,
    journal,
    head,
    now,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
    onBlock: listeners.announce,
  });
  const access = createChainAccess({
    produce: producer.produce,
    recover: producer.recover,
    release: journal.close,
    onProblem: options.onProblem ?? (() => undefined),
    recoveryPeriodMs: options.recoveryPeriodMs,
  });
  const running = { ...start, producer, access, thirdPartySpent: replayed.thirdPartyGas };
  const answer = createAnswer(options, running);
  return {
    chainId: start.config.chainId,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
    transactionGasMax: start.config.transactionGasMax,
    genesisHash: start.genesis.hash,
    blocksReplayed: head.number,
    replayedUntilSeconds: head.timestampSeconds,
    ...createPortReads(running),
    submitTransaction: async (raw) => {
      const { hash, blockNumber, outcome } = await access.submit(raw);
      return { hash, blockNumber, outcome };
    },
    // A block is final before it is announced, and gas is free.
    awaitFinal: async (mined) => mined,
    fetchFees: async () => FREE,
    fetchBid: async ({ gasLimit }) => ({ gasLimit, fees: FREE }),
    request: async (method, params) => JSON.parse(await answer(method, params)) as unknown,
    answer,
    coinbase: start.config.coinbase ?? NOBODY,
    // Its blocks were compared with the journal when they were replayed.
    assertSame: () => undefined,
    onFinalHead: listeners.add,
    copyJournalTo: journal.copyTo,
    findHealthIssue: access.findHealthIssue,
    close: access.close,
  };
};

/**
 * Starts the chain from its journal, or a new chain in an empty directory.
 * @throws LedgerError CHAIN_CORRUPT when the journal is damaged or its replay has other hashes; CHAIN_UNAVAILABLE when
 * another process has it open.
 */
export const createEmbeddedChain = async (options: EmbeddedChainOptions): Promise<EmbeddedChain> => {
  const journal = await (options.openJournal ?? openJournal)(options.directory);
  try {
    return await startChain(journal, options);
  } catch (error) {
    await journal.close();
    throw error;
  }
};

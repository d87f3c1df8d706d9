// A Hardhat network inside this process that survives a restart: the chain is in memory, and the journal on the disk
// holds what is needed to execute it again. A block is acknowledged, final and visible only once it is on the disk.
// While the disk refuses a block, the chain serves the blocks before it only. When memory and disk may differ in
// another way, it refuses everything until the next start.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { type FetchAccountNodes, fetchAccountNodes } from '../evidence/accountProof.ts';
import { type FetchEvidenceBlock, fetchEvidenceBlock } from '../evidence/evidenceBlock.ts';
import { createHeadListeners } from '../headListeners.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../jsonRpc/nodeMarks.ts';
import type { BlockRef, ChainPort } from '../port.ts';
import { type BlockProducer, createBlockProducer, type DurableBlock } from './blockProducer.ts';
import { createChainAccess } from './chainAccess.ts';
import { createRuns, prepareStart, readHead, type StartOptions } from './chainStart.ts';
import { createRequests, type RequestOptions, TRANSACTION_BYTES_MAX } from './embeddedRequests.ts';
import type { EngineState } from './engine/engineRuns.ts';
import type { Edr } from './engine/toEdr.ts';
import { type GenesisConfig, NOBODY } from './genesis.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import { createKeptLogs } from './keptLogs.ts';
import { createMemoryWatch, type MemoryUse, type MemoryWatch, readMemoryUse } from './memoryWatch.ts';
import { createPortReads } from './portReads.ts';
import type { RpcAnswer } from './rpc/publicChain.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { createStartSandbox, type SandboxState, type StartSandbox } from './sandbox/sandboxProcess.ts';

/** The embedded chain: the port, and what only this chain offers. */
export interface EmbeddedChain extends ChainPort {
  /**
   * Resolves when all blocks of the journal have been executed and had its hashes; rejects with CHAIN_CORRUPT when one
   * had another hash, or other logs than were kept. Until it resolves, the chain's newest block and its hashes are
   * those of the journal, requests that need its state wait, except for the logs of the newest blocks where they were
   * kept, and third parties are refused. After it rejects, every request does.
   */
  readonly replayed: Promise<void>;
  /** Number of blocks, with one transaction each, that the journal had at the start. */
  readonly blocksReplayed: number;
  /**
   * Time of the journal's newest block at the start, in seconds since 1970; the genesis time if there was no other
   * block.
   */
  readonly replayedUntilSeconds: number;
  /** Answers a public JSON-RPC method with the result as JSON text. Refuses all of them during the replay. */
  readonly answer: RpcAnswer;
  /** Answers what a report on the state of nodes needs, during the replay with the state of the replay. */
  readonly readStatus: ChainPort['request'];
  /** Ends the replay, if it is in progress: `replayed` rejects with STOPPING. */
  stopReplay(): void;
  /**
   * Copies the journal as it is now into another directory, for a backup. Resolves with the newest block that the copy
   * has.
   */
  copyJournalTo(directory: string): Promise<BlockRef>;
  /** The reason why the chain accepts no transactions now; undefined when it does. */
  findHealthIssue(): string | undefined;
  readonly fetchEvidenceBlock: FetchEvidenceBlock;
  readonly fetchAccountNodes: FetchAccountNodes;
  /** Address that every block names as its beneficiary. */
  readonly coinbase: Hex;
  readonly readEngine: () => EngineState;
  readonly readSandbox: () => SandboxState;
  /** Ends the replay, finishes the block that is being produced, refuses everything else, and closes the journal. */
  close(): Promise<void>;
}

/** Options of the embedded chain. */
export interface EmbeddedChainOptions extends RequestOptions, Omit<StartOptions, 'now'> {
  /** Directory of the journal's database. */
  readonly directory: string;
  readonly onMemoryWarning?: (use: MemoryUse) => void;
  /** Called when the disk refuses a block, when it accepts blocks again, and when memory use cannot be read. */
  readonly onProblem?: (message: string, cause?: unknown) => void;
  /** By default, the code of third parties is executed in a process without an environment. */
  readonly startSandbox?: StartSandbox | undefined;
  /** Milliseconds between two attempts to write a block that the disk refused. */
  readonly recoveryPeriodMs?: number;
  readonly openJournal?: (directory: string) => Promise<Journal>;
  readonly readMemoryUse?: () => MemoryUse;
}

const BLOCKS_PER_MEMORY_CHECK = 16;
const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

const createWatch = (options: EmbeddedChainOptions, readOtherBytes: () => number): MemoryWatch =>
  createMemoryWatch({
    readUse: options.readMemoryUse ?? (() => readMemoryUse(readOtherBytes())),
    onWarning: options.onMemoryWarning ?? (() => undefined),
    onProblem: (cause) => options.onProblem?.('the memory in use cannot be read', cause),
  });

const createCheckSometimes = (watch: MemoryWatch) => {
  let checked = 0;
  return (number: number): void => {
    if (number - checked < BLOCKS_PER_MEMORY_CHECK) return;
    checked = number;
    watch.check();
  };
};

const createProduction = (
  journal: Journal,
  options: EmbeddedChainOptions,
  producing: { edr: Edr; head: DurableBlock; onBlock: (head: BlockRef) => void },
) => {
  const { now, onProblem, recoveryPeriodMs } = options;
  const producer = createBlockProducer({ ...producing, journal, now, transactionBytesMax: TRANSACTION_BYTES_MAX });
  const access = createChainAccess({
    produce: producer.produce,
    recover: producer.recover,
    release: journal.close,
    onProblem: onProblem ?? (() => undefined),
    recoveryPeriodMs,
  });
  return { producer, access };
};

// The chain's own answers are checked as those of a node.
const toClient = (request: ChainPort['request']): JsonRpcClient => ({
  name: 'the embedded chain',
  marks: createNodeMarks(),
  request,
  requestBatch: (calls) => Promise.all(calls.map(({ method, params }) => request(method, params))),
});

const openSandbox = (options: EmbeddedChainOptions, edr: Edr, config: GenesisConfig): Sandbox =>
  createSandbox({
    edr,
    config,
    start: options.startSandbox ?? createStartSandbox(),
    onProblem: options.onProblem ?? (() => undefined),
  });

const startChain = async (
  journal: Journal,
  options: EmbeddedChainOptions,
  opened: AsyncDisposableStack,
): Promise<EmbeddedChain> => {
  const start = await prepareStart(journal, options);
  const accounts = await options.findLedgerAccounts?.();
  const keptLogs = createKeptLogs(await journal.readKeptLogs());
  const readOtherBytes = (): number => replay.readState().memoryBytes + sandbox.readState().memoryBytes;
  const checkMemory = createCheckSometimes(createWatch(options, readOtherBytes));
  const produced = (): BlockProducer => producer;
  const replay = createRuns(journal, options, start, { accounts, keptLogs, produced, checkMemory });
  const { edr } = replay;
  const sandbox = openSandbox(options, edr, start.config);
  await replay.open();
  opened.defer(replay.close);
  const genesis = start.readGenesis();
  const head = await readHead(journal, genesis);
  const listeners = createHeadListeners();
  listeners.add(({ number }) => checkMemory(number));
  const { producer, access } = createProduction(journal, options, { edr, head, onBlock: listeners.announce });
  replay.begin();
  const replayed = replay.completed.then(() => undefined);
  replayed.catch(() => undefined);
  opened.defer(sandbox.close);
  const running = { config: start.config, genesis, edr, journal, replay, keptLogs, producer, access, sandbox };
  const requests = createRequests(options, running);
  const client = toClient(requests.request);
  return {
    chainId: start.config.chainId,
    transactionBytesMax: TRANSACTION_BYTES_MAX,
    transactionGasMax: start.config.transactionGasMax,
    batchGasMax: start.config.transactionGasMax,
    genesisHash: genesis.hash,
    replayed,
    stopReplay: replay.stop,
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
    ...requests,
    fetchEvidenceBlock: (block) => fetchEvidenceBlock(client, block),
    fetchAccountNodes: (contract, block) => fetchAccountNodes(client, contract, block),
    coinbase: start.config.coinbase ?? NOBODY,
    // Its blocks are compared with the journal when they are replayed.
    assertSame: replay.assertNotFailed,
    onFinalHead: listeners.add,
    copyJournalTo: journal.copyTo,
    findHealthIssue: () => replay.failure()?.message ?? access.findHealthIssue(),
    readEngine: replay.readState,
    readSandbox: sandbox.readState,
    close: async () => {
      await replay.end();
      await sandbox.close();
      await access.close();
      await replay.close();
    },
  };
};

/**
 * Opens the chain of a directory, or begins a new one in an empty directory, and replays it in the background.
 * @throws LedgerError CHAIN_CORRUPT when the journal is damaged; CHAIN_UNAVAILABLE when another process has it open;
 * OutdatedLedger when the chain is of version 0.1.
 */
export const openEmbeddedChain = async (options: EmbeddedChainOptions): Promise<EmbeddedChain> => {
  await using opened = new AsyncDisposableStack();
  const journal = opened.adopt(await (options.openJournal ?? openJournal)(options.directory), ({ close }) => close());
  const chain = await startChain(journal, options, opened);
  opened.move();
  return chain;
};

/**
 * The same, resolved when the chain is replayed.
 * @throws LedgerError as `openEmbeddedChain`, and CHAIN_CORRUPT when the replay has other hashes.
 */
export const createEmbeddedChain = async (options: EmbeddedChainOptions): Promise<EmbeddedChain> => {
  await using opened = new AsyncDisposableStack();
  const chain = opened.adopt(await openEmbeddedChain(options), ({ close }) => close());
  await chain.replayed;
  opened.move();
  return chain;
};

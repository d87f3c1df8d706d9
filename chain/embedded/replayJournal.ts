// Rebuilds the chain in memory from its journal. Every block's hash is computed again and must equal the journal's, so
// that a block is the same before and after a restart. Blocks that append records are executed in groups: a request for
// each block would cost as much as the execution of a small one.
import { toHex } from '../../ledger/encoding/hex.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { DurableBlock } from './blockProducer.ts';
import { createTraceCollector } from './collectAnswers.ts';
import type { ChainEngine } from './engine/engine.ts';
import type { Edr, RpcCall } from './engine/toEdr.ts';
import type { Journal } from './journal/journal.ts';
import { type JournalBlock, refuseBlock } from './journal/journalBlock.ts';
import { groupBlocks } from './replayGroups.ts';
import { isThirdPartyBlock, type LedgerAccounts, type ReplayedBlock } from './thirdPartyBlocks.ts';

/** Progress of a replay. */
export interface ReplayProgress {
  readonly blocksDone: number;
  readonly blocksTotal: number;
}

/** State of the chain after its replay. */
export interface Replayed {
  readonly head: DurableBlock;
  /** Gas of all transactions. */
  readonly gasUsed: number;
  /** Gas of all third-party transactions. */
  readonly thirdPartyGas: number;
}

const REFUSED = 'the chain refuses its transaction';

const toRead = ({ number }: JournalBlock): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), false],
});

const toCalls = (block: JournalBlock): RpcCall[] => [
  { method: 'evm_setNextBlockTimestamp', params: [block.timestampSeconds] },
  { method: 'eth_sendRawTransaction', params: [toHex(block.transaction)] },
  toRead(block),
];

/** Executes a block of the journal on a chain whose head is the block before it. */
export const replayBlock = async (edr: Edr, block: JournalBlock): Promise<ReplayedBlock | null> => {
  const [, , mined] = await edr.requestAll(toCalls(block)).catch((cause: unknown) => {
    throw refuseBlock(block.number, REFUSED, cause);
  });
  return mined as ReplayedBlock | null;
};

const assertSame = (block: JournalBlock, mined: ReplayedBlock | null): ReplayedBlock => {
  const hash = mined?.hash ?? 'none';
  if (mined === null || hash !== block.hash) throw refuseBlock(block.number, `its hash is ${hash}, not ${block.hash}`);
  return mined;
};

// The first block of a group that differs, or else the first that was not executed.
const refuseGroup = async (edr: Edr, group: readonly JournalBlock[], cause: unknown): Promise<never> => {
  for (const block of group) {
    const { method, params } = toRead(block);
    const mined = (await edr.request(method, params)) as ReplayedBlock | null;
    if (mined === null) throw refuseBlock(block.number, REFUSED, cause);
    assertSame(block, mined);
  }
  throw cause;
};

const replayGroup = async (edr: Edr, group: readonly JournalBlock[]): Promise<ReplayedBlock[]> => {
  const calls = group.map(toCalls);
  const answers = await edr.requestAll(calls.flat()).catch((cause: unknown) => refuseGroup(edr, group, cause));
  const callsOfBlock = calls[0]!.length;
  return group.map((block, at) => assertSame(block, answers[(at + 1) * callsOfBlock - 1] as ReplayedBlock | null));
};

// Adds up the gas of all blocks and of third-party blocks, and frees the traces of executions.
const createGasCount = (edr: ChainEngine, accounts: LedgerAccounts | undefined) => {
  const traces = createTraceCollector(edr.collectAnswers);
  let gasUsed = 0;
  let thirdPartyGas = 0;
  return {
    total: () => ({ gasUsed, thirdPartyGas }),
    add: async (block: JournalBlock, mined: ReplayedBlock): Promise<void> => {
      const gas = Number(mined.gasUsed);
      gasUsed += gas;
      const isThirdParty = accounts !== undefined && (await isThirdPartyBlock(edr, block, mined, accounts));
      if (isThirdParty) thirdPartyGas += gas;
      await traces.add(gas, { isUrgent: isThirdParty });
    },
  };
};

/**
 * Replays all blocks of the journal on a chain that is at its genesis. `accounts` are the ledger's, where they are
 * known.
 * @throws LedgerError CHAIN_CORRUPT, naming the first block that differs; the reason of `signal` when that ends it.
 */
export const replayJournal = async (options: {
  edr: ChainEngine;
  journal: Journal;
  genesis: DurableBlock;
  accounts: LedgerAccounts | undefined;
  onProgress: (progress: ReplayProgress) => void;
  signal: AbortSignal;
}): Promise<Replayed> => {
  const { edr, journal, genesis, accounts, onProgress, signal } = options;
  const blocksTotal = await journal.readLastNumber();
  const gas = createGasCount(edr, accounts);
  let head = genesis;
  for await (const group of groupBlocks(journal.readBlocks(), accounts)) {
    signal.throwIfAborted();
    const mined = await replayGroup(edr, group);
    for (const [at, block] of group.entries()) await gas.add(block, mined[at]!);
    const { number, hash, timestampSeconds } = group.at(-1)!;
    head = { number, hash, timestampSeconds };
    onProgress({ blocksDone: head.number, blocksTotal });
  }
  return { head, ...gas.total() };
};

// Rebuilds the chain in memory from its journal. Every block's hash is computed again and must equal the journal's, so
// that a block is the same before and after a restart.

import { toHex } from '../../ledger/encoding/hex.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { DurableBlock } from './blockProducer.ts';
import { createTraceCollector } from './collectAnswers.ts';
import type { Edr } from './edr.ts';
import type { Journal } from './journal/journal.ts';
import { type JournalBlock, refuseBlock } from './journal/journalBlock.ts';
import { isThirdPartyBlock, type LedgerAccounts, type ReplayedBlock } from './thirdPartyBlocks.ts';

/** Progress of a replay. */
export interface ReplayProgress {
  readonly blocksDone: number;
  readonly blocksTotal: number;
}

/** State of the chain after its replay. */
export interface Replayed {
  readonly head: DurableBlock;
  /** Gas of all third-party transactions. */
  readonly thirdPartyGas: number;
}

/** Executes a block of the journal on a chain whose head is the block before it. */
export const replayBlock = async (edr: Edr, block: JournalBlock): Promise<ReplayedBlock | null> => {
  const [, , mined] = await edr
    .requestAll([
      { method: 'evm_setNextBlockTimestamp', params: [block.timestampSeconds] },
      { method: 'eth_sendRawTransaction', params: [toHex(block.transaction)] },
      { method: 'eth_getBlockByNumber', params: [toQuantity(block.number), false] },
    ])
    .catch((cause: unknown) => {
      throw refuseBlock(block.number, 'the chain refuses its transaction', cause);
    });
  return mined as ReplayedBlock | null;
};

// Adds up the gas of third-party blocks, and frees the traces of executions.
const createGasCount = (edr: Edr, accounts: LedgerAccounts | undefined) => {
  const traces = createTraceCollector();
  let thirdPartyGas = 0;
  return {
    thirdPartyGas: (): number => thirdPartyGas,
    add: async (block: JournalBlock, mined: ReplayedBlock): Promise<void> => {
      const gas = Number(mined.gasUsed);
      const isThirdParty = accounts !== undefined && (await isThirdPartyBlock(edr, block, mined, accounts));
      if (isThirdParty) thirdPartyGas += gas;
      await traces.add(gas, { isUrgent: isThirdParty });
    },
  };
};

/**
 * Replays all blocks of the journal on a chain that is at its genesis. `accounts` are the ledger's, where they are
 * known.
 * @throws LedgerError CHAIN_CORRUPT, naming the first block that differs.
 */
export const replayJournal = async (options: {
  edr: Edr;
  journal: Journal;
  genesis: DurableBlock;
  accounts: LedgerAccounts | undefined;
  onProgress: (progress: ReplayProgress) => void;
}): Promise<Replayed> => {
  const { edr, journal, genesis, accounts, onProgress } = options;
  const blocksTotal = await journal.readLastNumber();
  const gas = createGasCount(edr, accounts);
  let head = genesis;
  for await (const block of journal.readBlocks()) {
    const mined = await replayBlock(edr, block);
    const hash = mined?.hash ?? 'none';
    if (mined === null || hash !== block.hash)
      throw refuseBlock(block.number, `its hash is ${hash}, not ${block.hash}`);
    head = { number: block.number, hash: block.hash, timestampSeconds: block.timestampSeconds };
    await gas.add(block, mined);
    onProgress({ blocksDone: head.number, blocksTotal });
  }
  return { head, thirdPartyGas: gas.thirdPartyGas() };
};

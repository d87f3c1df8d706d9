// Makes the chain in memory from its journal. Every block's hash is computed anew and must equal the journal's, so that
// whoever noted a block before a restart finds the same block after it.

import { toHex } from '../../ledger/hex.ts';
import type { DurableBlock } from './blockProducer.ts';
import type { Edr } from './edr.ts';
import type { Journal } from './journal.ts';
import { type JournalBlock, refuseBlock } from './journalBlock.ts';

export interface ReplayProgress {
  readonly blocksDone: number;
  readonly blocksTotal: number;
}

const replayBlock = async (edr: Edr, block: JournalBlock): Promise<string> => {
  const [, , mined] = await edr
    .requestAll([
      { method: 'evm_setNextBlockTimestamp', params: [block.timestampSeconds] },
      { method: 'eth_sendRawTransaction', params: [toHex(block.transaction)] },
      { method: 'eth_getBlockByNumber', params: [`0x${block.number.toString(16)}`, false] },
    ])
    .catch((cause: unknown) => {
      throw refuseBlock(block.number, 'the chain refuses its transaction', cause);
    });
  return (mined as { hash: string } | null)?.hash ?? 'none';
};

/**
 * Replays all blocks of the journal on a chain that stands at its genesis; resolves to the newest one.
 * @throws LedgerError CHAIN_CORRUPT, naming the first block that differs.
 */
export const replayJournal = async (options: {
  edr: Edr;
  journal: Journal;
  genesis: DurableBlock;
  onProgress: (progress: ReplayProgress) => void;
}): Promise<DurableBlock> => {
  const { edr, journal, genesis, onProgress } = options;
  const blocksTotal = await journal.readLastNumber();
  let head = genesis;
  for await (const block of journal.readBlocks()) {
    const hash = await replayBlock(edr, block);
    if (hash !== block.hash) throw refuseBlock(block.number, `its hash is ${hash}, not ${block.hash}`);
    head = { number: block.number, hash: block.hash, timestampSeconds: block.timestampSeconds };
    onProgress({ blocksDone: head.number, blocksTotal });
  }
  return head;
};

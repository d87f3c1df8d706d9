// Recovers the chain of a damaged journal from the journal and the copy of its newest blocks. Every block is executed
// again and must have its stored hash, so nothing is guessed: the chain ends where no block with that hash is found.
import { join } from 'node:path';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { raiseIfMistake } from '../../defects.ts';
import { hasDatabaseFiles } from '../../leveldb/cutOffStart.ts';
import { findFileDamage } from '../../leveldb/fileDamage.ts';
import { createScratchCopy } from '../../leveldb/scratchCopy.ts';
import type { BlockRef } from '../../port.ts';
import { openTemporaryDirectory } from '../../temporaryDirectory.ts';
import { createTraceCollector } from '../collectAnswers.ts';
import { createEdr, type Edr } from '../edr.ts';
import { decodeGenesis, type Genesis } from '../genesis.ts';
import { replayBlock } from '../replayJournal.ts';
import { type BlockDatabase, openBlockDatabase } from './blockDatabase.ts';
import type { Journal } from './journal.ts';
import { decodeBlock, decodeBlockKey, encodeBlockKey, type JournalBlock, refuseBlock } from './journalBlock.ts';
import { openRecentBlocks, type RecentBlocks } from './recentBlocks.ts';
import { agrees } from './recentBlocksWriter.ts';

/** The remains of one chain. */
export interface Salvage {
  /** Undefined when neither the journal nor the copy has it: then nothing can be restored. */
  readonly genesis: Genesis | undefined;
  /** Number of the newest block that the journal or the copy has. */
  readonly newest: number;
  /** The same for the journal alone; undefined when one of its files is damaged, or it has none. */
  readonly undamagedJournalNewest: number | undefined;
  /**
   * Replays the chain block by block and calls `onBlock` for each. Resolves with the newest block and with the number
   * of blocks that only the copy had. Rejects with CHAIN_CORRUPT when journal and copy have two different undamaged
   * blocks of one number.
   */
  replay(onBlock: (block: JournalBlock) => Promise<void>): Promise<{ head: BlockRef; fromCopy: number }>;
  /**
   * The blocks from `first` to `last` that journal or copy have. Their hashes are not checked: the caller must check
   * the signatures in their transactions.
   */
  readBlocks(first: number, last: number): AsyncIterable<JournalBlock>;
  close(): Promise<void>;
}

/** The result of a decoder; undefined when the bytes are damaged. */
const decodeUndamaged = <T>(decode: () => T): T | undefined => {
  try {
    return decode();
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'CHAIN_CORRUPT') return undefined;
    throw error;
  }
};

// What can't be read or executed is lost, but not by a mistake of this program.
const orUndefined = (cause: unknown): undefined => {
  if (raiseIfMistake(cause)) throw cause;
};

const getUndamaged = (db: BlockDatabase, key: Uint8Array): Promise<Uint8Array | undefined> =>
  db.get(key).catch(orUndefined);

const readNewest = async (db: BlockDatabase): Promise<number> => {
  for await (const key of db.keys({ reverse: true })) {
    const number = decodeUndamaged(() => decodeBlockKey(key));
    if (number !== undefined) return number;
  }
  return 0;
};

interface Candidates {
  readonly ofJournal: JournalBlock | undefined;
  readonly ofCopy: JournalBlock | undefined;
}

const readCandidates = async (db: BlockDatabase, copy: RecentBlocks, number: number): Promise<Candidates> => {
  const entry = await getUndamaged(db, encodeBlockKey(number));
  const ofJournal = entry && decodeUndamaged(() => decodeBlock(number, entry));
  return { ofJournal, ofCopy: await copy.readBlock(number) };
};

interface Replay {
  readonly edr: Edr;
  /** Adds gas, and frees the traces of executions before they fill the memory. */
  count(gas: number): Promise<void>;
}

/** Whether the block, when it is mined, has its stored hash; if not, the chain is reset to the state before. */
const tryBlock = async ({ edr, count }: Replay, block: JournalBlock): Promise<boolean> => {
  const snapshot = await edr.request('evm_snapshot', []);
  const mined = await replayBlock(edr, block).catch(orUndefined);
  await count(Number(mined?.gasUsed ?? 0));
  if (mined?.hash === block.hash) return true;
  await edr.request('evm_revert', [snapshot]);
  return false;
};

// A copy that differs from an undamaged block of the journal is a second history: only an operator can choose between
// them.
const choose = async (replay: Replay, { ofJournal, ofCopy }: Candidates): Promise<JournalBlock | undefined> => {
  if (ofJournal !== undefined && (await tryBlock(replay, ofJournal))) {
    if (agrees(ofJournal, ofCopy)) return ofJournal;
    throw refuseBlock(ofJournal.number, 'journal and copy have two different undamaged blocks; restore a backup');
  }
  return ofCopy !== undefined && (await tryBlock(replay, ofCopy)) ? ofCopy : undefined;
};

const startReplay = async ({ config, hash }: Genesis): Promise<Replay> => {
  const edr = await createEdr(config);
  const made = (await edr.request('eth_getBlockByNumber', ['0x0', false])) as { hash: Hex };
  if (made.hash !== hash) throw refuseBlock(0, `its hash is ${made.hash}, not ${hash}`);
  return { edr, count: createTraceCollector().add };
};

/** Opens the remains of a journal and of the copy of its newest blocks. The directories are not changed. */
export const openSalvage = async (directories: { journal: string; copy: string }): Promise<Salvage> => {
  await using opened = new AsyncDisposableStack();
  const { path: root } = opened.adopt(await openTemporaryDirectory('provenance-repair-'), ({ remove }) => remove());
  const scratch = { journal: join(root, 'journal'), copy: join(root, 'copy') };
  await createScratchCopy(directories.journal, scratch.journal);
  await createScratchCopy(directories.copy, scratch.copy);
  const db = opened.adopt(await openBlockDatabase(scratch.journal), (one) => one.close());
  const copy = opened.adopt(await openRecentBlocks(scratch.copy), (one) => one.close());
  const entry = await getUndamaged(db, encodeBlockKey(0));
  const genesis = (entry && decodeUndamaged(() => decodeGenesis(entry))) ?? (await copy.readGenesis());
  const ofJournal = await readNewest(db);
  const newest = Math.max(ofJournal, await copy.readLastNumber());
  const isUndamaged =
    hasDatabaseFiles(directories.journal) && (await findFileDamage(directories.journal)) === undefined;
  const all = opened.move();
  return {
    genesis,
    newest,
    undamagedJournalNewest: isUndamaged ? ofJournal : undefined,
    replay: async (onBlock) => {
      if (genesis === undefined) throw refuseBlock(0, 'neither journal nor copy has it; restore a backup');
      const chain = await startReplay(genesis);
      let head: BlockRef = { number: 0, hash: genesis.hash };
      let fromCopy = 0;
      for (let number = 1; number <= newest; number += 1) {
        const candidates = await readCandidates(db, copy, number);
        const block = await choose(chain, candidates);
        if (block === undefined) break;
        if (block === candidates.ofCopy) fromCopy += 1;
        await onBlock(block);
        head = { number, hash: block.hash };
      }
      return { head, fromCopy };
    },
    readBlocks: async function* (first, last) {
      for (let number = first; number <= last; number += 1) {
        const { ofJournal, ofCopy } = await readCandidates(db, copy, number);
        const block = ofCopy ?? ofJournal;
        if (block !== undefined) yield block;
      }
    },
    close: () => all.disposeAsync(),
  };
};

/** Writes a restored chain into a new journal. */
export const writeRestored = async (journal: Journal, salvage: Salvage, onBlock: (block: BlockRef) => void) => {
  await journal.writeGenesis(salvage.genesis!);
  return salvage.replay(async (block) => {
    await journal.appendBlock(block);
    onBlock(block);
  });
};

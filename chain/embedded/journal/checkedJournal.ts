// A journal that is compared with everything else that has blocks of its chain, and whose newest blocks are copied, the
// last few with their logs.
import { assertJournalEndsAgree, type KnownBlock } from './assertJournalAgrees.ts';
import type { KeptLogs } from './blockLogs.ts';
import { type Journal, openUndamagedJournal } from './journal.ts';
import { BLOCKS_WITH_LOGS, openRecentBlocks, type RecentBlocks } from './recentBlocks.ts';
import { createRecentBlocksWriter } from './recentBlocksWriter.ts';

/** Options of a checked journal. */
export interface CheckedJournalOptions {
  /** Directory of the copy of the newest blocks. */
  readonly copyDirectory: string;
  readonly knownBlocks: readonly KnownBlock[];
  readonly onProblem: (message: string, cause?: unknown) => void;
}

// The index continues at the block after its own, so logs before a gap are of no use.
const readKeptLogs = async (journal: Journal, copy: RecentBlocks): Promise<readonly KeptLogs[]> => {
  const kept: KeptLogs[] = [];
  const last = await journal.readLastNumber();
  for (let number = last; number > Math.max(0, last - BLOCKS_WITH_LOGS); number -= 1) {
    const block = await journal.readBlock(number);
    const bytes = block && (await copy.readLogs(block));
    if (block === undefined || bytes === undefined) break;
    kept.unshift({ block, bytes });
  }
  return kept;
};

/**
 * An opener for a journal that is compared with `knownBlocks` first. A damaged copy of its newest blocks is left alone
 * until all blocks are replayed.
 */
export const openCheckedJournal =
  (options: CheckedJournalOptions) =>
  async (directory: string): Promise<Journal> => {
    await assertJournalEndsAgree(directory, options.copyDirectory, options.knownBlocks);
    await using opened = new AsyncDisposableStack();
    const journal = opened.adopt(await openUndamagedJournal(directory), ({ close }) => close());
    const copy = await openRecentBlocks(options.copyDirectory, { opensDamaged: false });
    const writer = createRecentBlocksWriter({ copy, journal, onProblem: options.onProblem });
    opened.defer(writer.close);
    const all = opened.move();
    return {
      ...journal,
      // All blocks of the copy are compared, and the copy continues, only after these blocks were replayed and had the
      // same hashes.
      readBlocks: async function* () {
        yield* journal.readBlocks();
        await writer.complete();
      },
      readKeptLogs: () => readKeptLogs(journal, copy),
      writeGenesis: async (genesis) => {
        await journal.writeGenesis(genesis);
        // A damaged copy gets it with the blocks.
        if (copy.damage === undefined) await copy.writeGenesis(genesis);
      },
      appendBlock: async (block, logs) => {
        // The journal's sync takes longer, so a kill rarely comes when it has the block and the copy lacks the logs.
        if (logs !== undefined) writer.keepLogs(block, logs);
        await journal.appendBlock(block);
        writer.keep(block);
      },
      recoverBlock: async (block, head) => {
        await journal.recoverBlock(block, head);
        writer.keep(block);
      },
      close: () => all.disposeAsync(),
    };
  };

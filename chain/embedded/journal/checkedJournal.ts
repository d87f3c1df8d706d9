// A journal that agrees with everything else that knows blocks of its chain, and whose newest blocks are copied.
import { assertJournalAgrees, type KnownBlock } from './assertJournalAgrees.ts';
import { type Journal, openWholeJournal } from './journal.ts';
import { openRecentBlocks } from './recentBlocks.ts';
import { createRecentBlocksWriter } from './recentBlocksWriter.ts';

export interface CheckedJournalOptions {
  /** Directory of the copy of the newest blocks. */
  readonly copyDirectory: string;
  readonly knownBlocks: readonly KnownBlock[];
  readonly onProblem: (message: string, cause?: unknown) => void;
}

/**
 * Opener of a journal that is first compared with what else is known. A damaged copy of its newest blocks stays as it is until all blocks were made
 * again.
 */
export const openCheckedJournal =
  (options: CheckedJournalOptions) =>
  async (directory: string): Promise<Journal> => {
    await assertJournalAgrees(directory, options.copyDirectory, options.knownBlocks);
    await using opened = new AsyncDisposableStack();
    const journal = opened.adopt(await openWholeJournal(directory), ({ close }) => close());
    const copy = await openRecentBlocks(options.copyDirectory, { opensDamaged: false });
    const writer = createRecentBlocksWriter({ copy, journal, onProblem: options.onProblem });
    opened.defer(writer.close);
    const all = opened.move();
    return {
      ...journal,
      // Only a chain that was made of all of these blocks, hash by hash, is copied.
      readBlocks: async function* () {
        yield* journal.readBlocks();
        await writer.complete();
      },
      writeGenesis: async (genesis) => {
        await journal.writeGenesis(genesis);
        await copy.writeGenesis(genesis);
      },
      appendBlock: async (block) => {
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

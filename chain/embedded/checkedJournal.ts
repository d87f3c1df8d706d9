// A journal that is compared with whatever else knows blocks of its chain: the copy of its newest blocks, the index, the outbox. A journal that lacks a
// block that another knows has lost it, and is refused before anything is written (law L12 of the design).
import type { BlockRef } from '../port.ts';
import { type Journal, openJournal } from './journal.ts';
import { type JournalBlock, refuseJournal } from './journalBlock.ts';
import { openRecentBlocks, RECENT_BLOCKS, type RecentBlocks } from './recentBlocks.ts';
import { agrees, createRecentBlocksWriter } from './recentBlocksWriter.ts';

/** A block that something else than the journal says is on the chain. */
export interface KnownBlock extends Pick<BlockRef, 'number'>, Partial<Pick<BlockRef, 'hash'>> {
  /** Who says so: `the index`. */
  readonly source: string;
}

export interface CheckedJournalOptions {
  /** Directory of the copy of the newest blocks. */
  readonly copyDirectory: string;
  readonly knownBlocks: readonly KnownBlock[];
  readonly onProblem: (message: string, cause?: unknown) => void;
}

type Witness = Pick<KnownBlock, 'source' | 'number'>;

const assertReached = (lastNumber: number, { source, number }: Witness): void => {
  if (number <= lastNumber) return;
  throw refuseJournal(
    `it ends at block ${lastNumber}, and ${source} has block ${number}; block ${lastNumber + 1} is the first that is missing`,
  );
};

const assertSameHash = ({ number, hash }: BlockRef, known: readonly KnownBlock[]): void => {
  const other = known.find((block) => block.number === number && (block.hash ?? hash) !== hash);
  if (other === undefined) return;
  throw refuseJournal(`block ${number} has the hash ${hash}, and ${other.source} knows it as ${other.hash}`);
};

const COPY = 'the copy of the newest blocks';

// A copy whose files are damaged says nothing.
const toWitnesses = async (copy: RecentBlocks, known: readonly KnownBlock[]): Promise<Witness[]> =>
  copy.damage === undefined ? [...known, { source: COPY, number: await copy.readLastNumber() }] : [...known];

const readChecked = async function* (
  journal: Journal,
  copy: RecentBlocks,
  { knownBlocks }: CheckedJournalOptions,
): AsyncIterable<JournalBlock> {
  const lastNumber = await journal.readLastNumber();
  for (const witness of await toWitnesses(copy, knownBlocks)) assertReached(lastNumber, witness);
  for await (const block of journal.readBlocks()) {
    assertSameHash(block, knownBlocks);
    const isRecent = block.number > lastNumber - RECENT_BLOCKS;
    if (isRecent && !agrees(block, await copy.readBlock(block.number)))
      throw refuseJournal(`block ${block.number} differs from ${COPY}`);
    yield block;
  }
};

const assertGenesis = async (journal: Journal, copy: RecentBlocks, { knownBlocks }: CheckedJournalOptions) => {
  const genesis = await journal.readGenesis();
  const copied = copy.damage === undefined ? await copy.readGenesis() : undefined;
  const [first] = [...(copied === undefined ? [] : [{ source: COPY }]), ...knownBlocks];
  if (genesis === undefined && first !== undefined) {
    throw refuseJournal(`it is empty, and ${first.source} has blocks of a chain; block 0 is the first that is missing`);
  }
  if (genesis !== undefined && copied !== undefined && genesis.hash !== copied.hash) {
    throw refuseJournal(`block 0 has the hash ${genesis.hash}, and ${COPY} knows it as ${copied.hash}`);
  }
  return genesis;
};

/** Opener of a journal that is compared with what else is known, and whose newest blocks are copied. */
export const openCheckedJournal =
  (options: CheckedJournalOptions) =>
  async (directory: string): Promise<Journal> => {
    await using opened = new AsyncDisposableStack();
    const journal = opened.adopt(await openJournal(directory), ({ close }) => close());
    const copy = await openRecentBlocks(options.copyDirectory);
    const writer = createRecentBlocksWriter({ copy, journal, onProblem: options.onProblem });
    opened.defer(writer.close);
    const all = opened.move();
    return {
      ...journal,
      readGenesis: () => assertGenesis(journal, copy, options),
      // Only a chain that was made of all of these blocks, hash by hash, is copied.
      readBlocks: async function* () {
        yield* readChecked(journal, copy, options);
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

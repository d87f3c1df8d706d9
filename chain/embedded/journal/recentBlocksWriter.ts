// Maintains the copy of the newest blocks: at the start it is compared with the journal and completed, then each new
// block is written to it in the background.
import { raiseIfMistake } from '../../defects.ts';
import type { TimedRpcLog } from '../readEmbeddedLogs.ts';
import type { Journal } from './journal.ts';
import { type JournalBlock, refuseJournal } from './journalBlock.ts';
import { RECENT_BLOCKS, type RecentBlocks } from './recentBlocks.ts';

const SYNC_MS = 1_000;
/** Milliseconds after a failure before the next attempt. */
const RETRY_MS = 10_000;
/** Writes that may wait for the disk: each keeps a block, or its logs, in memory. */
const WAITING_MAX = 64;

/** Writes the copy of one journal. */
export interface RecentBlocksWriter {
  /**
   * Writes the block in the background. When that fails, or too many blocks wait for a slow disk, it is reported, and
   * the copy is completed from the journal once it can be written again.
   */
  keep(block: JournalBlock): void;
  /** Writes the logs of a block in the background, unless the copy can't be written now. */
  keepLogs(block: JournalBlock, logs: readonly TimedRpcLog[]): void;
  /** Writes the blocks that the copy lacks. Rejects with CHAIN_CORRUPT when a block differs from the journal's. */
  complete(): Promise<void>;
  /** Resolves when everything is synced and the copy is closed. */
  close(): Promise<void>;
}

const isSame = (one: JournalBlock, other: JournalBlock): boolean =>
  one.hash === other.hash &&
  one.timestampSeconds === other.timestampSeconds &&
  Buffer.compare(one.transaction, other.transaction) === 0;

/** Whether a block of the copy equals the journal's; a missing or damaged one proves nothing, so the answer is true. */
export const agrees = (block: JournalBlock, copied: JournalBlock | undefined): boolean =>
  copied === undefined || isSame(copied, block);

// Writes the newest blocks of the journal that the copy lacks.
const complete = async (copy: RecentBlocks, journal: Journal): Promise<void> => {
  const genesis = await journal.readGenesis();
  if (genesis !== undefined && (await copy.readGenesis()) === undefined) {
    await copy.writeGenesis(genesis);
  }
  const first = Math.max(1, (await journal.readLastNumber()) - RECENT_BLOCKS + 1);
  for await (const block of journal.readBlocks(first)) {
    const copied = await copy.readBlock(block.number);
    if (copied === undefined) await copy.write(block);
    else if (!agrees(block, copied)) throw refuseJournal(`block ${block.number} differs from its copy`);
  }
  await copy.sync();
};

// Writes one after the other. `onFailure` is called for each that fails.
const createWrites = (onFailure: (cause: unknown) => void) => {
  let writing = Promise.resolve();
  let waiting = 0;
  return {
    isFull: (): boolean => waiting >= WAITING_MAX,
    enqueue: (task: () => Promise<void>): void => {
      waiting += 1;
      writing = writing
        .then(task)
        .catch(onFailure)
        .finally(() => {
          waiting -= 1;
        });
    },
    completed: (): Promise<void> => writing,
  };
};

/** Writer of the copy of a journal's newest blocks. */
export const createRecentBlocksWriter = (options: {
  copy: RecentBlocks;
  journal: Journal;
  onProblem: (message: string, cause?: unknown) => void;
}): RecentBlocksWriter => {
  const { copy, journal, onProblem } = options;
  let syncTimer: NodeJS.Timeout | undefined;
  let failedAtMs: number | undefined;
  let isRecovering = false;
  let failures = 0;

  const noteFailure = (cause: unknown): void => {
    raiseIfMistake(cause);
    failures += 1;
    if (failedAtMs === undefined) onProblem('the copy of the newest blocks could not be written', cause);
    failedAtMs = performance.now();
  };
  const { enqueue, isFull, completed } = createWrites(noteFailure);
  const recover = async (): Promise<void> => {
    const failuresBefore = failures;
    try {
      await copy.clear();
      await complete(copy, journal);
      // Else blocks were left out meanwhile, and it is completed again.
      if (failures === failuresBefore) failedAtMs = undefined;
    } finally {
      isRecovering = false;
    }
  };
  // What is queued during a recovery is written after it.
  const isWritten = (): boolean => failedAtMs === undefined || isRecovering;
  const syncLater = (): void => {
    syncTimer ??= setTimeout(() => {
      syncTimer = undefined;
      enqueue(copy.sync);
    }, SYNC_MS).unref();
  };

  return {
    keep: (block) => {
      if (isWritten() && isFull()) noteFailure(new Error('the disk is slower than the chain'));
      else if (isWritten()) enqueue(() => copy.write(block));
      else if (performance.now() - failedAtMs! >= RETRY_MS) {
        isRecovering = true;
        enqueue(recover);
      }
      syncLater();
    },
    keepLogs: (block, logs) => {
      if (failedAtMs === undefined && !isFull()) enqueue(() => copy.writeLogs(block, logs));
    },
    complete: async () => {
      if (copy.damage !== undefined) {
        onProblem(`the copy of the newest blocks is damaged, and is written again from the journal: ${copy.damage}`);
        await copy.clear();
      }
      await complete(copy, journal);
    },
    close: async () => {
      clearTimeout(syncTimer);
      if (isWritten()) enqueue(copy.sync);
      await completed();
      await copy.close();
    },
  };
};

// Looks at new blocks for transactions, so that nobody asks for the receipt of each again and again. It only says when
// to look: what it has seen may be in a block that is replaced. Nothing is polled while nobody waits. Where nodes
// announce their blocks, a look follows an announcement; the chain is polled as often as without them until one was
// followed by a new block, and again after a new block that was not announced.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { raiseIfMistake } from '../defects.ts';
import { type BlockTransactions, fetchTransactions } from '../jsonRpc/chainQueries.ts';
import type { HeadFeed } from './headFeed.ts';
import { isUnavailable, type NodeSet } from './nodeSet.ts';
import { createWakeableSleep } from './wakeableSleep.ts';

/** Wakes those who wait for blocks. */
export interface BlockWatch {
  /**
   * Resolves when a look at the chain is due: a block has one of the transactions, a block was replaced or not seen, 3
   * blocks came without the transactions, or after 10 times `pollMs`. Rejects when the signal ends it.
   */
  awaitTransaction(hashes: readonly Hex[], signal: AbortSignal | undefined): Promise<void>;
  /** Resolves when there is a new block, or after `pollMs`. Rejects when the signal ends it. */
  awaitBlock(signal: AbortSignal | undefined): Promise<void>;
}

/** Options of a watch. */
export interface BlockWatchOptions {
  readonly nodes: Pick<NodeSet, 'use'>;
  /** Longest pause between two looks at the newest block, in milliseconds. */
  readonly pollMs: number;
  /** Announces blocks; without it they are polled. */
  readonly heads?: Pick<HeadFeed, 'isLive' | 'onHead'> | undefined;
}

/** Pause between two looks at the newest block: with a block a second, a transaction waits 25 ms in the mean. */
const LOOK_MS = 50;
/** Short pauses after a look that found no new block, although one was announced. */
const SHORT_PAUSES = 4;
const PAUSES_MAX = 10;
/** Blocks that are read one by one; those who wait look by themselves after more. */
const BLOCKS_READ_MAX = 16;
/** Blocks after which those who wait look, whatever is in them. */
const BLOCKS_UNSEEN_MAX = 3;
/** Blocks whose transactions are kept: a node may have a block before its receipts. */
const BLOCKS_KEPT = 4;

interface Waiter {
  readonly hashes: readonly Hex[];
  blocksLeft: number;
  readonly wake: () => void;
}

// The blocks after `seen` up to `head`; undefined when they don't follow from it, or are too many.
const fetchSince = async (
  nodes: BlockWatchOptions['nodes'],
  seen: BlockTransactions,
  head: BlockTransactions,
): Promise<BlockTransactions[] | undefined> => {
  const blocks: BlockTransactions[] = [];
  if (head.number <= seen.number || head.number - seen.number > BLOCKS_READ_MAX) return undefined;
  for (let number = seen.number + 1; number < head.number; number += 1) {
    const block = await nodes.use((client) => fetchTransactions(client, number));
    if (block === undefined) return undefined;
    blocks.push(block);
  }
  blocks.push(head);
  const isLinked = blocks.every(({ parentHash }, at) => parentHash === (blocks[at - 1] ?? seen).hash);
  return isLinked ? blocks : undefined;
};

interface Pauses {
  /** Must be called when looks begin again after a time without any. */
  begin(): void;
  /** Resolves when the next look is due. */
  pass(): Promise<unknown>;
  /** A look is over. */
  note(hasNewBlock: boolean): void;
}

// Long pauses between looks while blocks are announced, and short ones otherwise.
const createAnnouncedPauses = (
  heads: NonNullable<BlockWatchOptions['heads']>,
  lookMs: number,
  pollMs: number,
): Pauses => {
  const { wake, sleep: sleepUntilWoken } = createWakeableSleep();
  let isAnnounced = false;
  let shortLeft = 0;
  let isWoken = false;
  heads.onHead(wake);
  return {
    begin: () => {
      shortLeft = 1;
    },
    pass: async () => {
      const isLong = isAnnounced && heads.isLive && shortLeft === 0;
      isWoken = await sleepUntilWoken(isLong ? pollMs : lookMs);
    },
    note: (hasNewBlock) => {
      // The first look finds blocks that came while nobody waited, and a node may have an announced one a moment later.
      if (hasNewBlock && (isWoken || shortLeft === 0)) isAnnounced = isWoken;
      shortLeft = isWoken && !hasNewBlock ? SHORT_PAUSES : Math.max(0, shortLeft - 1);
    },
  };
};

const createPauses = ({ heads, pollMs }: BlockWatchOptions): Pauses => {
  const lookMs = Math.min(LOOK_MS, pollMs);
  if (heads !== undefined) return createAnnouncedPauses(heads, lookMs, pollMs);
  return { begin: () => undefined, pass: () => sleep(lookMs), note: () => undefined };
};

/** A watch that polls while somebody waits. */
export const createBlockWatch = (options: BlockWatchOptions): BlockWatch => {
  const { nodes, pollMs } = options;
  const pauses = createPauses(options);
  const waiters = new Set<Waiter>();
  let kept: readonly BlockTransactions[] = [];
  let isLooking = false;

  const isKept = ({ hashes }: Waiter): boolean =>
    kept.some(({ transactions }) => hashes.some((hash) => transactions.includes(hash)));
  const wakeAll = (): void => {
    for (const { wake } of [...waiters]) wake();
  };
  const show = (block: BlockTransactions): void => {
    kept = [...kept, block].slice(-BLOCKS_KEPT);
    const mined = new Set(block.transactions);
    for (const waiter of [...waiters]) {
      waiter.blocksLeft -= 1;
      if (waiter.blocksLeft <= 0 || waiter.hashes.some((hash) => mined.has(hash))) waiter.wake();
    }
  };
  const look = async (): Promise<void> => {
    const head = await nodes.use((client) => fetchTransactions(client, 'latest'));
    const seen = kept.at(-1);
    const isNew = head !== undefined && head.hash !== seen?.hash;
    pauses.note(isNew);
    if (!isNew) return;
    const blocks = seen && (await fetchSince(nodes, seen, head));
    if (blocks === undefined) {
      kept = [head];
      wakeAll();
    } else for (const block of blocks) show(block);
  };
  const lookWhileAwaited = async (): Promise<void> => {
    pauses.begin();
    while (waiters.size > 0) {
      await pauses.pass();
      await look().catch((error: unknown) => {
        // Those who wait look at the chain themselves, and report what they find.
        if (!raiseIfMistake(error) && !isUnavailable(error)) wakeAll();
      });
    }
    isLooking = false;
  };

  const wait = (hashes: readonly Hex[], blocksLeft: number, ms: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        waiters.delete(waiter);
        signal?.removeEventListener('abort', end);
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      };
      const waiter: Waiter = { hashes, blocksLeft, wake: end };
      // A block that has the transaction already may be without receipts for a moment.
      const timer = setTimeout(end, isKept(waiter) ? Math.min(LOOK_MS, pollMs) : ms);
      if (signal?.aborted) return end();
      signal?.addEventListener('abort', end);
      waiters.add(waiter);
      if (!isLooking) void lookWhileAwaited();
      isLooking = true;
    });

  return {
    awaitTransaction: (hashes, signal) => wait(hashes, BLOCKS_UNSEEN_MAX, PAUSES_MAX * pollMs, signal),
    awaitBlock: (signal) => wait([], 1, pollMs, signal),
  };
};

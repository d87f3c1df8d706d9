// Reads the chain in order and brings the index to the chain's final head, in atomic steps, one run at a time. A cursor
// that is not on the final chain means that the index belongs to another chain; the follower then reports it, wipes the
// index and rebuilds it. A cursor after the final head can't be compared yet: nothing is indexed before it was.
import { setImmediate } from 'node:timers/promises';
import type { BlockRef, FollowedChain } from '../chain/port.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { LAYOUT_VERSION } from './keys.ts';
import { fetchLogBatches } from './logBatches.ts';
import { applyLogs } from './projection/applyLogs.ts';
import type { LogDecoder } from './projection/logDecoder.ts';
import { createNewestLists } from './projection/newestLists.ts';
import type { Cursor } from './rows/rows.ts';
import type { IndexStore } from './store.ts';

/** What a follower works with. */
export interface FollowerOptions {
  readonly chain: FollowedChain;
  readonly store: IndexStore;
  readonly contract: Hex;
  /** Number of the block that deployed the contract; no earlier block contains a record. */
  readonly deploymentBlock: number;
  /** Blocks of one request for logs while catching up. */
  readonly pageBlocks: number;
  /** Records of one write while catching up; without it there are 8,192. Those of one page are never parted. */
  readonly batchRecords?: number | undefined;
  /** The contract's EIP-712 domain separator, to check the digests and heads of records; without it none is checked. */
  readonly domain?: Uint8Array | undefined;
  /**
   * Whether records are no longer checked after the first run: the chain's contract runs in this process. Attestations
   * are checked always.
   */
  readonly trustsNewRecords?: boolean | undefined;
  /** Starts a thread that decodes logs while the index catches up with many blocks. Without it, no thread is used. */
  readonly startDecoder?: (() => LogDecoder) | undefined;
  /** Called after each batch with the index's block, the head's block and the records projected in this run. */
  readonly onProgress?: (blockNumber: number, headNumber: number, records: number) => void;
  /** Called before the index is wiped because it belongs to another chain, contract or layout. */
  readonly onWipe: (reason: string) => void;
}

/** Brings an index up to date. */
export interface Follower {
  /**
   * Resolves when reads show the block; LevelDB may still be writing its rows.
   * @throws LedgerError CHAIN_UNAVAILABLE if the chain's final head is below the block.
   */
  catchUpTo(blockNumber: number): Promise<void>;
  /** Resolves when the index on the disk has reached the final head that the chain had at the call. */
  catchUp(): Promise<void>;
}

/** Records of one batch while catching up: a larger batch shares more rows and needs more memory. */
const BATCH_RECORDS = 8_192;
/** From this number of blocks on, catching up is worth the start of a thread. */
const DECODER_BLOCKS = 1_000;

const findMismatch = (cursor: Cursor, options: FollowerOptions, hash: Hex | undefined): string | undefined => {
  if (cursor.layoutVersion !== LAYOUT_VERSION) return `it has layout ${cursor.layoutVersion}, not ${LAYOUT_VERSION}`;
  if (cursor.contract !== options.contract) return `it follows the contract ${cursor.contract}`;
  return hash === undefined || hash === cursor.blockHash
    ? undefined
    : `block ${cursor.blockNumber} of the chain is not the one that it was built from`;
};

interface Continuation {
  /** The block to continue with. */
  readonly next: number;
  /** Whether the block before it is final, and the one that the index was built from. */
  readonly isCompared: boolean;
}

/** Where to continue. Wipes an index that doesn't belong to the chain. */
const findContinuation = async (options: FollowerOptions): Promise<Continuation> => {
  const { chain, store, deploymentBlock } = options;
  await store.written();
  const cursor = store.readCursor();
  const hash = cursor && (await chain.fetchBlockHash(cursor.blockNumber));
  const mismatch = cursor && findMismatch(cursor, options, hash);
  if (cursor !== undefined && mismatch === undefined) {
    return { next: cursor.blockNumber + 1, isCompared: hash !== undefined };
  }
  if (mismatch !== undefined) options.onWipe(mismatch);
  await store.wipe();
  return { next: deploymentBlock, isCompared: true };
};

/** Creates the follower. Checks that the index belongs to this chain, and wipes it if it doesn't. */
export const createFollower = async (options: FollowerOptions): Promise<Follower> => {
  const { chain, store, contract, domain, pageBlocks, batchRecords = BATCH_RECORDS } = options;
  await store.recover();
  const newest = createNewestLists();
  let { next, isCompared } = await findContinuation(options);
  let running: Promise<void> | undefined;
  let hasCaughtUp = false;

  const runTo = async (head: BlockRef, decoder: LogDecoder | undefined): Promise<void> => {
    let records = 0;
    const checkedDomain = hasCaughtUp && options.trustsNewRecords ? undefined : domain;
    const source = { chain, contract, pageBlocks, batchRecords, domain: checkedDomain };
    for await (const { logs, toBlock, decoded } of fetchLogBatches(source, next, head, decoder)) {
      const { number: blockNumber, hash: blockHash } = toBlock;
      const cursor = { layoutVersion: LAYOUT_VERSION, contract, blockNumber, blockHash };
      await applyLogs(store, logs, cursor, { decoded: await decoded, newest, checkedDomain });
      next = blockNumber + 1;
      records += logs.records.length;
      options.onProgress?.(blockNumber, head.number, records);
    }
  };

  const run = async (): Promise<void> => {
    // The writer goes on first: the chain executes its next batch while the one before is projected.
    await setImmediate();
    if (await store.recover()) [isCompared, hasCaughtUp] = [false, false];
    const head = await chain.fetchFinalHead();
    if (!isCompared) ({ next, isCompared } = await findContinuation(options));
    const decoder = head.number - next >= DECODER_BLOCKS ? options.startDecoder?.() : undefined;
    try {
      await runTo(head, decoder);
    } finally {
      await decoder?.close();
    }
    store.damage.markComplete();
    hasCaughtUp = true;
  };

  const follow = (): Promise<void> => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    catchUp: async () => {
      await follow();
      await store.written();
    },
    // A run in progress may have fetched the head before the block existed, so a second run decides.
    catchUpTo: async (blockNumber) => {
      for (let runs = 0; runs < 2 && next <= blockNumber; runs += 1) await follow();
      if (next > blockNumber) return;
      throw new LedgerError('CHAIN_UNAVAILABLE', { message: `the chain's final head is below block ${blockNumber}` });
    },
  };
};

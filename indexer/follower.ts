// Reads the chain in order and brings the index to its final head. One run at a time, one atomic step per page of blocks.
// A cursor that is not on the chain any more means that the index belongs to another chain: alarm, wipe, rebuild.
import type { BlockRef, FollowedChain, RecordLog } from '../chain/port.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { LAYOUT_VERSION } from './keys.ts';
import { createWriteBehind, type WriteBehind } from './projection/writeBehind.ts';
import type { Cursor } from './rows/rows.ts';
import type { IndexStore } from './store.ts';

export interface FollowerOptions {
  readonly chain: FollowedChain;
  readonly store: IndexStore;
  readonly contract: Hex;
  /** Block of the contract's deployment: nothing of the ledger is before it. */
  readonly deploymentBlock: number;
  /** Blocks read at once while catching up. */
  readonly pageBlocks: number;
  /** Told after each page where the index stands. */
  readonly onProgress?: (blockNumber: number, headNumber: number, records: number) => void;
  /** Told when the index was wiped because it belongs to another chain, contract or layout. */
  readonly onWipe: (reason: string) => void;
}

export interface Follower {
  /** Resolves when the index has taken in the block, which the chain must have. */
  catchUpTo(blockNumber: number): Promise<void>;
  /** Resolves when the index has reached the chain's final head of this moment. */
  catchUp(): Promise<void>;
}

/** Records that make a batch while catching up: more of them share more rows, and take more memory. */
const BATCH_RECORDS = 8_192;

const findMismatch = async (cursor: Cursor, options: FollowerOptions): Promise<string | undefined> => {
  if (cursor.layoutVersion !== LAYOUT_VERSION) return `it has layout ${cursor.layoutVersion}, not ${LAYOUT_VERSION}`;
  if (cursor.contract !== options.contract) return `it follows the contract ${cursor.contract}`;
  const hash = await options.chain.fetchBlockHash(cursor.blockNumber);
  return hash === cursor.blockHash ? undefined : `block ${cursor.blockNumber} of the chain is not the one it knows`;
};

/** Where the index may go on; undefined when it has to begin anew. An index that doesn't fit is wiped. */
const readUsableCursor = async (options: FollowerOptions): Promise<Cursor | undefined> => {
  const cursor = options.store.readCursor();
  const mismatch = cursor === undefined ? undefined : await findMismatch(cursor, options);
  if (mismatch !== undefined) options.onWipe(mismatch);
  if (cursor === undefined || mismatch !== undefined) await options.store.wipe();
  return mismatch === undefined ? cursor : undefined;
};

const fetchHash = async (chain: FollowedChain, number: number, head: BlockRef): Promise<Hex> => {
  if (number === head.number) return head.hash;
  const hash = await chain.fetchBlockHash(number);
  if (hash === undefined) throw new Error(`the chain has no block ${number} below its head ${head.number}`);
  return hash;
};

/** Opens the follower: checks that the index belongs to this chain and wipes it when it doesn't. */
export const createFollower = async (options: FollowerOptions): Promise<Follower> => {
  const { chain, store, contract, pageBlocks } = options;
  const readNext = async (): Promise<number> =>
    ((await readUsableCursor(options))?.blockNumber ?? options.deploymentBlock - 1) + 1;
  await store.recover();
  let next = await readNext();
  let running: Promise<void> | undefined;

  // Pages of blocks up to the head, as many as make a batch.
  const fetchBatch = async (fromBlock: number, headNumber: number): Promise<{ logs: RecordLog[]; toBlock: number }> => {
    const logs: RecordLog[] = [];
    let toBlock = fromBlock - 1;
    while (toBlock < headNumber && logs.length < BATCH_RECORDS) {
      const page = { fromBlock: toBlock + 1, toBlock: Math.min(toBlock + pageBlocks, headNumber) };
      for (const log of await chain.fetchRecordLogs({ address: contract, ...page })) logs.push(log);
      toBlock = page.toBlock;
    }
    return { logs, toBlock };
  };

  const runTo = async (head: BlockRef, writer: WriteBehind): Promise<void> => {
    let records = 0;
    for (let fromBlock = next; fromBlock <= head.number; ) {
      const { logs, toBlock } = await fetchBatch(fromBlock, head.number);
      const blockHash = await fetchHash(chain, toBlock, head);
      await writer.put(logs, { layoutVersion: LAYOUT_VERSION, contract, blockNumber: toBlock, blockHash }, () => {
        next = toBlock + 1;
        records += logs.length;
        options.onProgress?.(toBlock, head.number, records);
      });
      fromBlock = toBlock + 1;
    }
  };

  const run = async (): Promise<void> => {
    if (await store.recover()) next = await readNext();
    const head = await chain.fetchFinalHead();
    const writer = createWriteBehind(store);
    try {
      await runTo(head, writer);
    } finally {
      // Also after a failure: the next run must begin where the last write has ended.
      await writer.end();
    }
    store.damage.markComplete();
  };

  const catchUp = (): Promise<void> => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    catchUp,
    // A run that was under way may have begun before the block was there, so a second one decides.
    catchUpTo: async (blockNumber) => {
      for (let runs = 0; runs < 2 && next <= blockNumber; runs += 1) await catchUp();
      if (next > blockNumber) return;
      throw new LedgerError('CHAIN_UNAVAILABLE', { message: `the chain's final head is below block ${blockNumber}` });
    },
  };
};

// Reads the chain in order and brings the index to its final head. One run at a time, one atomic step per page of blocks.
// A cursor that is not on the chain any more means that the index belongs to another chain: alarm, wipe, rebuild.
import type { BlockRef, ChainPort, RecordLog } from '../chain/port.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { Hex } from '../ledger/hex.ts';
import { createBatch } from './batch.ts';
import { LAYOUT_VERSION } from './keys.ts';
import { decodeLog, project } from './projection.ts';
import type { Cursor, Write } from './rows.ts';
import type { IndexStore } from './store.ts';

export interface FollowerOptions {
  readonly chain: ChainPort;
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

/** The writes that bring an index from the rows it has to where these logs leave it. */
const projectLogs = (store: IndexStore, logs: readonly RecordLog[]): Write[] => {
  const batch = createBatch(store.read);
  for (const log of logs) {
    const record = decodeLog(log);
    if (record !== undefined) batch.take(project(record, batch.read));
  }
  return batch.toWrites();
};

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

/** Opens the follower: checks that the index belongs to this chain and wipes it when it doesn't. */
export const createFollower = async (options: FollowerOptions): Promise<Follower> => {
  const { chain, store, contract } = options;
  let next = ((await readUsableCursor(options))?.blockNumber ?? options.deploymentBlock - 1) + 1;
  let running: Promise<void> | undefined;

  const takePage = async (toBlock: number, hash: Hex): Promise<number> => {
    const logs = await chain.fetchRecordLogs({ address: contract, fromBlock: next, toBlock });
    const cursor = { layoutVersion: LAYOUT_VERSION, contract, blockNumber: toBlock, blockHash: hash };
    await store.apply(projectLogs(store, logs), cursor);
    next = toBlock + 1;
    return logs.length;
  };

  const hashOf = async (number: number, head: BlockRef): Promise<Hex> => {
    if (number === head.number) return head.hash;
    const hash = await chain.fetchBlockHash(number);
    if (hash === undefined) throw new Error(`the chain has no block ${number} below its head ${head.number}`);
    return hash;
  };

  const run = async (): Promise<void> => {
    const head = await chain.fetchFinalHead();
    let records = 0;
    while (next <= head.number) {
      const toBlock = Math.min(next + options.pageBlocks - 1, head.number);
      records += await takePage(toBlock, await hashOf(toBlock, head));
      options.onProgress?.(toBlock, head.number, records);
    }
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

// Reads the chain in order and brings the index to the chain's final head, in atomic steps, one run at a time. A cursor
// that is not on the final chain means that a final block was replaced: the index stays as it is, until an operator
// rebuilds it. A cursor after the final head can't be compared yet: nothing is indexed before it was. An index of
// another layout or contract is reported, wiped and rebuilt.
import { setImmediate } from 'node:timers/promises';
import type { BlockRef, FollowedChain } from '../chain/port.ts';
import { createSharedRuns, type SharedRun } from '../chain/sharedRuns.ts';
import { UnprovenAuthor } from '../chain/unprovenAuthor.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { LedgerError } from '../ledger/errors.ts';
import { LAYOUT_VERSION } from './keys.ts';
import { type KnownFinal, type KnownFinals, NO_FINALS, refuseReplaced, refuseUnreached } from './knownFinal.ts';
import { fetchLogBatches } from './logBatches.ts';
import { applyLogs } from './projection/applyLogs.ts';
import type { LogDecoder } from './projection/logDecoder.ts';
import { createNewestLists } from './projection/newestLists.ts';
import type { Cursor } from './rows/rows.ts';
import {
  findServedChange,
  type IndexedTenants,
  type ServedTenants,
  type SharingTenants,
  toServedWrites,
} from './servedTenants.ts';
import type { IndexStore } from './store.ts';

/** What a follower works with. */
export interface FollowerOptions {
  readonly chain: FollowedChain;
  readonly store: IndexStore;
  readonly contract: Hex;
  /** Number of the block that deployed the contract; no earlier block contains a record. */
  readonly deploymentBlock: number;
  /**
   * The tenants that the index serves: another set, which must be another object, takes effect with the next run. An
   * index that needs other records than it has for a set is rebuilt. Without it all tenants are served.
   */
  readonly readServed?: (() => ServedTenants) | undefined;
  /** Tenants that the index has for what they share with those that are served. Without it there are none. */
  readonly sharing?: SharingTenants | undefined;
  /** Blocks of one request for logs while catching up. */
  readonly pageBlocks: number;
  /** Records of one write while catching up; without it there are 8,192. Those of one page are never parted. */
  readonly batchRecords?: number | undefined;
  /**
   * Lower-case addresses of the accounts whose keys this server has: their records must be proven to be theirs. Without
   * it nobody's are.
   */
  readonly readAuthors?: (() => ReadonlySet<Hex>) | undefined;
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
  /** Blocks that were final before: nothing is indexed on a chain that lacks them. Without it there are none. */
  readonly finals?: KnownFinals | undefined;
  /** Called before the index is wiped because it belongs to another contract or layout. */
  readonly onWipe: (reason: string) => void;
}

/** Brings an index up to date. */
export interface Follower {
  /**
   * Resolves when reads show the block; LevelDB may still be writing its rows.
   * @throws LedgerError CHAIN_UNAVAILABLE if the chain's final head is below the block.
   */
  catchUpTo(blockNumber: number): Promise<void>;
  /**
   * Resolves when reads show everything up to a final head that the chain had at the call or later, of the tenants that
   * were served at the call.
   */
  refresh(): Promise<void>;
  /** Resolves when the index on the disk has reached the final head that the chain had at the call. */
  catchUp(): Promise<void>;
  /**
   * Refuses further runs with STOPPING, and resolves when none uses the store any more: a run on a closed store would
   * fail to write, and the next one would open it again.
   */
  stop(): Promise<void>;
  /** The error of the last run if the chain has replaced a block that was final; undefined otherwise. */
  findReplaced(): LedgerError | undefined;
  /** The error of the last run if the chain has a record that its author hasn't signed; undefined otherwise. */
  findUnproven(): UnprovenAuthor | undefined;
}

const NO_TENANTS: SharingTenants = new Set();

/** Records of one batch while catching up: a larger batch shares more rows and needs more memory. */
const BATCH_RECORDS = 8_192;
/** From this number of blocks on, catching up is worth the start of a thread. */
const DECODER_BLOCKS = 1_000;

const findMismatch = (cursor: Cursor, options: FollowerOptions): string | undefined => {
  if (cursor.layoutVersion !== LAYOUT_VERSION) return `it has layout ${cursor.layoutVersion}, not ${LAYOUT_VERSION}`;
  return cursor.contract === options.contract ? undefined : `it follows the contract ${cursor.contract}`;
};

/** The block that an index ends with, which was final. */
export const toFinal = ({ blockNumber, blockHash }: Cursor) => ({
  number: blockNumber,
  hash: blockHash,
  writtenIn: 'the index',
});

interface Continuation {
  /** The block to continue with. */
  readonly next: number;
  /** Whether the block before it is final, and the one that the index was built from. */
  readonly isCompared: boolean;
  /** Whether the index is empty. */
  readonly isNew: boolean;
}

const toBeginning = ({ deploymentBlock }: FollowerOptions): Continuation => ({
  next: deploymentBlock,
  isCompared: true,
  isNew: true,
});

// Prepares the index for the tenants that are served. Returns whether it still has its rows. A damaged one is removed;
// one of other tenants only when the chain has reached all that was final.
const adoptServed = async (
  store: IndexStore,
  cursor: Cursor,
  tenants: IndexedTenants,
  unreached: KnownFinal | undefined,
): Promise<boolean> => {
  try {
    const { reason, write } = findServedChange(store.read, tenants);
    if (reason !== undefined && unreached !== undefined) throw refuseUnreached(unreached);
    if (write !== undefined) await store.apply([write], cursor);
    if (reason !== undefined) store.damage.requireRebuild(`The index is not that of the tenants served: ${reason}`);
  } catch (error) {
    if (store.damage.found() === undefined) throw error;
  }
  return !(await store.recover());
};

// The newest block that was final and that the chain hasn't reached. Throws if it has replaced one.
const findUnreached = async (
  { chain, finals = NO_FINALS }: FollowerOptions,
  cursor: Cursor | undefined,
): Promise<KnownFinal | undefined> => {
  const unreached = await finals.compare(chain);
  if (cursor === undefined) return unreached;
  const [hash, end] = [await chain.fetchBlockHash(cursor.blockNumber), toFinal(cursor)];
  if (hash !== undefined && hash !== end.hash) throw refuseReplaced(end, hash);
  return hash === undefined ? end : unreached;
};

/**
 * Where to continue. Wipes an index of another contract or layout, or of other tenants than those that are served, once
 * the chain has every block that was final.
 */
const findContinuation = async (options: FollowerOptions, served: ServedTenants): Promise<Continuation> => {
  const { store, sharing = NO_TENANTS } = options;
  await store.written();
  const cursor = store.readCursor();
  const unreached = await findUnreached(options, cursor);
  const mismatch = cursor && findMismatch(cursor, options);
  if (cursor !== undefined && mismatch === undefined) {
    if (unreached !== undefined && unreached.number > cursor.blockNumber) throw refuseUnreached(unreached);
    if (await adoptServed(store, cursor, { served, sharing }, unreached))
      return { next: cursor.blockNumber + 1, isCompared: unreached === undefined, isNew: false };
  }
  if (unreached !== undefined) throw refuseUnreached(unreached);
  if (mismatch !== undefined) options.onWipe(mismatch);
  if (cursor === undefined || mismatch !== undefined) await store.wipe();
  return toBeginning(options);
};

// What one run changes for the next.
interface Position {
  next: number;
  isCompared: boolean;
  isNew: boolean;
  served: ServedTenants;
  hasCaughtUp: boolean;
}

// Reads the blocks up to the head.
const createRunTo = (options: FollowerOptions, position: Position) => {
  const { chain, store, contract, domain, pageBlocks, batchRecords = BATCH_RECORDS, sharing = NO_TENANTS } = options;
  const newest = createNewestLists();
  return async (head: BlockRef, decoder: LogDecoder | undefined): Promise<void> => {
    let records = 0;
    const { next, served, hasCaughtUp } = position;
    const checkedDomain = hasCaughtUp && options.trustsNewRecords ? undefined : domain;
    const tenants = { served, sharing };
    const { readAuthors } = options;
    const source = { chain, contract, readAuthors, tenants, pageBlocks, batchRecords, domain: checkedDomain };
    for await (const { logs, unserved, toBlock, decoded } of fetchLogBatches(source, next, head, decoder)) {
      const { number: blockNumber, hash: blockHash } = toBlock;
      const cursor = { layoutVersion: LAYOUT_VERSION, contract, blockNumber, blockHash };
      const firstWrites = position.isNew ? toServedWrites(tenants) : [];
      const shared = { tenants, unserved, firstWrites };
      await applyLogs(store, logs, cursor, { decoded: await decoded, newest, checkedDomain, ...shared });
      position.isNew = false;
      position.next = blockNumber + 1;
      records += logs.records.length;
      options.onProgress?.(blockNumber, head.number, records);
    }
  };
};

// Compares the index with the chain and with the tenants that are served, unless it was. The head is fetched before: a
// tenant that is added later has no record up to it, unless other servers wrote one.
const compare = async (options: FollowerOptions, position: Position): Promise<void> => {
  const served = options.readServed?.();
  if (position.isCompared && served === position.served) return;
  position.isCompared = false;
  const found = await findContinuation(options, served);
  const hasCaughtUp = position.hasCaughtUp && !found.isNew;
  Object.assign(position, { ...found, served, hasCaughtUp } satisfies Position);
};

const openPosition = async (options: FollowerOptions): Promise<Position> => {
  await options.store.recover();
  const served = options.readServed?.();
  return { ...(await findContinuation(options, served)), served, hasCaughtUp: false };
};

/** Creates the follower. Checks that the index belongs to this chain, and wipes it if it doesn't. */
export const createFollower = async (options: FollowerOptions): Promise<Follower> => {
  const { chain, store } = options;
  const position = await openPosition(options);
  const runTo = createRunTo(options, position);
  const stopping = new AbortController();
  let failure: unknown;

  const run = async ({ begin }: SharedRun): Promise<void> => {
    stopping.signal.throwIfAborted();
    // The writer goes on first: the chain executes its next batch while the one before is projected.
    await setImmediate();
    if (await store.recover()) Object.assign(position, { isCompared: false, hasCaughtUp: false });
    begin();
    const head = await chain.fetchFinalHead();
    await compare(options, position);
    const decoder = head.number - position.next >= DECODER_BLOCKS ? options.startDecoder?.() : undefined;
    try {
      await runTo(head, decoder);
    } finally {
      await decoder?.close();
    }
    store.damage.markComplete();
    position.hasCaughtUp = true;
  };

  const runNoted = async (shared: SharedRun): Promise<void> => {
    try {
      await run(shared);
      failure = undefined;
    } catch (cause) {
      failure = cause;
      throw cause;
    }
  };

  const { run: follow, ended } = createSharedRuns(runNoted);

  return {
    refresh: follow,
    findReplaced: () => (failure instanceof LedgerError && failure.code === 'CHAIN_REPLACED' ? failure : undefined),
    findUnproven: () => (failure instanceof UnprovenAuthor ? failure : undefined),
    catchUp: async () => {
      await follow();
      await store.written();
    },
    catchUpTo: async (blockNumber) => {
      if (position.next <= blockNumber) await ended();
      if (position.next <= blockNumber) await follow();
      if (position.next > blockNumber) return;
      throw new LedgerError('CHAIN_UNAVAILABLE', { message: `the chain's final head is below block ${blockNumber}` });
    },
    stop: async () => {
      stopping.abort(new LedgerError('STOPPING'));
      await ended();
    },
  };
};

// A ledger view over a real index and over an outbox that is a list: fed by a fake chain that it follows, or with logs
// directly.
import type { RecordLog } from '../../chain/port.ts';
import type { ReadThreads } from '../../host/ledgerOptions.ts';
import { createFollower } from '../../indexer/follower.ts';
import { LAYOUT_VERSION } from '../../indexer/keys.ts';
import type { Page, PageQuery } from '../../indexer/ledgerView.ts';
import { applyLogs } from '../../indexer/projection/applyLogs.ts';
import { createLedgerView } from '../../indexer/reads/createLedgerView.ts';
import type { UncommittedRecord } from '../../indexer/reads/uncommitted.ts';
import type { Row } from '../../indexer/rows/rows.ts';
import type { ServedView } from '../../indexer/sharingView.ts';
import type { Snapshot } from '../../indexer/snapshots.ts';
import { createIndexStore, type IndexStore } from '../../indexer/store.ts';
import { toStreamIdentityOf } from '../../ledger/identity.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { useDirectories } from './directories.ts';
import { CONTRACT, createFakeChain } from './fakeChain.ts';
import { toWord, type WrittenRecord } from './recordLogs.ts';
import { ALPHA } from './records.ts';

export interface OpenIndex {
  readonly store: IndexStore;
  readonly view: ServedView;
  /** The same view with the threads that were given; without them, the same. */
  readonly pooled: ServedView;
  /** The outbox, which the test writes. Oldest first. */
  readonly outbox: UncommittedRecord[];
  /** Applies logs to the index as one batch. */
  take(logs: readonly RecordLog[]): Promise<void>;
  /** Empties index and outbox. */
  clear(): Promise<void>;
}

/** Opens an index in a directory, with what is in it. `threads` read pages of `pooled`. */
export const openIndex = async (directory: string, threads?: ReadThreads): Promise<OpenIndex> => {
  const store = await createIndexStore(directory, {}, { isShared: threads !== undefined });
  if (threads !== undefined) store.share(threads);
  const outbox: UncommittedRecord[] = [];
  const source = {
    readEntries: () => [...outbox],
    readTenant: (tenantIdentity: string) => outbox.filter((each) => each.tenantIdentity === tenantIdentity),
    readStreamOfAll: (streamIdentity: string) => outbox.filter((each) => each.streamIdentity === streamIdentity),
    readStream: (tenantIdentity: string, streamIdentity: string) =>
      outbox.filter((each) => each.tenantIdentity === tenantIdentity && each.streamIdentity === streamIdentity),
  };
  return {
    store,
    view: createLedgerView({ store, outbox: source }),
    pooled: createLedgerView({ store, outbox: source, pool: threads }),
    outbox,
    take: async (logs) => {
      const blockNumber = logs.at(-1)?.blockNumber ?? 0;
      const cursor = { layoutVersion: LAYOUT_VERSION, contract: CONTRACT, blockNumber, blockHash: toWord(blockNumber) };
      await applyLogs(store, { records: [...logs], attestations: [] }, cursor);
    },
    clear: async () => {
      outbox.splice(0);
      await store.wipe();
    },
  };
};

/** Registers mocha hooks that open an index for all tests, and empty it before each. */
export const useIndex = (): (() => OpenIndex) => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  before(async () => {
    index = await openIndex(await makeDirectory());
  });
  beforeEach(() => index.clear());
  after(() => index.store.close());
  return () => index;
};

/** Reads a snapshot of an index, and closes it. */
export const readSnapshot = async <T>(
  { store }: Pick<OpenIndex, 'store'>,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const snapshot = await store.snapshot();
  try {
    return await read(snapshot);
  } finally {
    await snapshot.close();
  }
};

/** All rows of an index, by the hexadecimal text of their keys, in key order. */
export const rowsOf = async (store: IndexStore): Promise<[string, Row][]> => {
  const rows: [string, Row][] = [];
  for await (const [key, row] of store.entries()) rows.push([key.toString('hex'), row]);
  return rows;
};

export interface ViewFixture {
  readonly view: ServedView;
  /** Mines a block of these records and has the index follow it. */
  mine(...written: WrittenRecord[]): Promise<void>;
  /** Puts a record into the outbox. */
  pend(
    record: LedgerRecord,
    fields?: Partial<Pick<UncommittedRecord, 'tenantIdentity' | 'status' | 'failureReason'>>,
  ): void;
  /** Removes the oldest record from the outbox. */
  removeOldest(): void;
  close(): Promise<void>;
}

/** Opens an index in a directory, with one empty block in it, that follows a chain. */
export const openView = async (directory: string): Promise<ViewFixture> => {
  const chain = createFakeChain();
  const { store, view, outbox } = await openIndex(directory);
  const options = { contract: CONTRACT, deploymentBlock: 1, pageBlocks: 10, onWipe: () => undefined };
  const follower = await createFollower({ chain, store, ...options });
  let sequence = 0;
  return {
    view,
    mine: async (...written) => follower.catchUpTo(chain.mine(...written)),
    pend: (record, fields = {}) => {
      sequence += 1;
      const streamIdentity = toStreamIdentityOf(record);
      outbox.push({ sequence, tenantIdentity: ALPHA, streamIdentity, record, status: 'PENDING', ...fields });
    },
    removeOldest: () => {
      outbox.shift();
    },
    close: () => store.close(),
  };
};

/**
 * Registers mocha hooks that open such an index for each test, with the block that `mineFirst` mines. The fixture is
 * that of the test that runs.
 */
export const useView = (mineFirst: (fixture: ViewFixture) => Promise<void>): ViewFixture => {
  const makeDirectory = useDirectories();
  let current: ViewFixture;
  beforeEach(async () => {
    current = await openView(await makeDirectory());
    await mineFirst(current);
  });
  afterEach(() => current.close());
  return {
    get view() {
      return current.view;
    },
    mine: (...written) => current.mine(...written),
    pend: (...given) => current.pend(...given),
    removeOldest: () => current.removeOldest(),
    close: () => current.close(),
  };
};

/** All pages of a list, one after the other, each counted. */
export const readPages = async <T>(list: (page: PageQuery) => Promise<Page<T>>, limit: number): Promise<Page<T>[]> => {
  const pages: Page<T>[] = [];
  let position: string | undefined;
  do {
    const page = await list({ limit, position, isCounted: true });
    pages.push(page);
    position = page.nextPosition;
  } while (position !== undefined);
  return pages;
};

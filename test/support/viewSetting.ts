// A ledger view over a real index that follows a fake chain, and over an outbox that is a list.
import { createLedgerView } from '../../indexer/createLedgerView.ts';
import { createFollower } from '../../indexer/follower.ts';
import type { LedgerView, Page, PageQuery } from '../../indexer/ledgerView.ts';
import { createIndexStore } from '../../indexer/store.ts';
import type { UncommittedRecord } from '../../indexer/uncommitted.ts';
import { type LedgerRecord, toStreamIdentityOf } from '../../ledger/record.ts';
import { CONTRACT, createFakeChain } from './fakeChain.ts';
import type { Written } from './recordLogs.ts';
import { ALPHA } from './records.ts';

export interface ViewSetting {
  readonly view: LedgerView;
  /** Makes a block of these records and brings the index up to it. */
  mine(...written: Written[]): Promise<void>;
  /** Puts a record into the outbox. */
  pend(record: LedgerRecord, fields?: Partial<Pick<UncommittedRecord, 'tenantIdentity' | 'status'>>): void;
  /** Takes the oldest record out of the outbox. */
  settleOldest(): void;
  close(): Promise<void>;
}

/** Opens the index in a directory, with one empty block in it. */
export const openView = async (directory: string): Promise<ViewSetting> => {
  const chain = createFakeChain();
  const store = await createIndexStore(directory);
  const options = { contract: CONTRACT, deploymentBlock: 1, pageBlocks: 10, onWipe: () => undefined };
  const follower = await createFollower({ chain, store, ...options });
  const entries: UncommittedRecord[] = [];
  let sequence = 0;
  const outbox = {
    readEntries: () => entries,
    readStream: (tenantIdentity: string, streamIdentity: string) =>
      entries.filter((each) => each.tenantIdentity === tenantIdentity && each.streamIdentity === streamIdentity),
  };
  return {
    view: createLedgerView({ store, outbox }),
    mine: async (...written) => follower.catchUpTo(chain.mine(...written)),
    pend: (record, fields = {}) => {
      sequence += 1;
      const streamIdentity = toStreamIdentityOf(record);
      entries.push({ sequence, tenantIdentity: ALPHA, streamIdentity, record, status: 'PENDING', ...fields });
    },
    settleOldest: () => {
      entries.shift();
    },
    close: () => store.close(),
  };
};

/** All pages of a list, one after the other. */
export const readPages = async <T>(list: (page: PageQuery) => Promise<Page<T>>, limit: number): Promise<Page<T>[]> => {
  const pages: Page<T>[] = [];
  let after: string | undefined;
  do {
    const page = await list({ limit, after });
    pages.push(page);
    after = page.next;
  } while (after !== undefined);
  return pages;
};

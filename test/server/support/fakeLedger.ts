// A ledger with the real index, over a fake chain that mines each record immediately in its own block.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordAppender } from '../../../chain/port.ts';
import type { ServedView } from '../../../indexer/sharingView.ts';
import { toBlockTimestamp } from '../../../ledger/encoding/timestamp.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { type Commitment, toUncommitted } from '../../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { AUTHOR_CHECKSUMMED, toRecordLog, type WrittenRecord } from '../../support/recordLogs.ts';
import { openView } from '../../support/viewFixture.ts';

export interface FakeLedger {
  readonly view: ServedView;
  readonly writer: RecordAppender;
  /** Every record that the writer accepted, oldest first. */
  readonly records: LedgerRecord[];
  /** Every record on the chain, oldest first. */
  readonly mined: WrittenRecord[];
  /** Runs before a record is accepted; may wait or throw. */
  beforeAppend: (record: LedgerRecord) => Promise<void>;
  /** Runs at once when a record is appended; may throw. */
  beforeBegin: (record: LedgerRecord) => void;
  /** While true, accepted records wait for the chain. */
  isChainAway: boolean;
  /** Puts a record on the chain without the writer. */
  mine(written: WrittenRecord): Promise<Commitment>;
  close(): Promise<void>;
}

export const OWNER = AUTHOR_CHECKSUMMED;

const toCommitment = (written: WrittenRecord, block: number): Commitment => {
  const { blockTimestampSeconds, transactionHash } = toRecordLog(written, block);
  return {
    confirmation_status: 'CONFIRMED',
    timestamp_committed: toBlockTimestamp(blockTimestampSeconds),
    block_number: block,
    transaction_index: 0,
    log_index: 0,
    transaction_id: transactionHash,
    from: OWNER,
  };
};

export const createFakeLedger = async (): Promise<FakeLedger> => {
  const directory = await mkdtemp(join(tmpdir(), 'provenance-test-'));
  const { view, mine, pend, close } = await openView(directory);
  let blocks = 0;
  const appending = new Set<Promise<unknown>>();
  const append = async (tenantIdentity: string, record: LedgerRecord): Promise<Commitment> => {
    await fake.beforeAppend(record);
    fake.records.push(record);
    if (!fake.isChainAway) return fake.mine({ tenantIdentity, record });
    pend(record, { tenantIdentity });
    return toUncommitted('PENDING');
  };
  const begin = (tenantIdentity: string, record: LedgerRecord): Promise<Commitment> => {
    fake.beforeBegin(record);
    const appended = append(tenantIdentity, record);
    appending.add(appended);
    return appended.finally(() => appending.delete(appended));
  };
  const counts = new Map<string, number>();
  const withSequence = (written: WrittenRecord): WrittenRecord => {
    const stream = `${written.tenantIdentity} ${toStreamIdentityOf(written.record)}`;
    const sequence = (counts.get(stream) ?? 0) + 1;
    counts.set(stream, sequence);
    return { ...written, changed: { sequence, ...written.changed } };
  };
  const fake: FakeLedger = {
    view,
    records: [],
    mined: [],
    beforeAppend: async () => {},
    beforeBegin: () => undefined,
    isChainAway: false,
    mine: async (written) => {
      blocks += 1;
      const commitment = toCommitment(written, blocks);
      fake.mined.push(written);
      await mine(withSequence(written));
      return commitment;
    },
    writer: {
      begin,
      append: async (tenantIdentity, record) => begin(tenantIdentity, record),
      flush: async () => {
        await Promise.allSettled([...appending]);
      },
    },
    close: async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return fake;
};

// A record writer over a real outbox and a fake chain, as most tests of the write path need it.
import { createOutbox, type Outbox } from '../../chain/writing/outbox.ts';
import { createRecordWriter, type RecordWriter, type RecordWriterOptions } from '../../chain/writing/recordWriter.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createFakeChainAndIndex, type FakeChainAndIndex } from './fakeChainAndIndex.ts';
import { ALPHA } from './records.ts';

export const WAIT_MS = 10_000;

type Limits = Partial<
  Pick<
    RecordWriterOptions,
    | 'waitMs'
    | 'batchRecordsMax'
    | 'sharedBatchRecordsMax'
    | 'batchBytesMax'
    | 'transactionsInFlight'
    | 'minedBatchesMax'
    | 'storeAfterMs'
    | 'quota'
  >
>;

export interface WriterFixture {
  readonly chain: FakeChainAndIndex;
  readonly outbox: Outbox;
  readonly writer: RecordWriter;
  readonly problems: string[];
  /** Number of attempts to reach the chain that failed. */
  failedAttempts(): number;
  append(record: LedgerRecord, tenantIdentity?: string): Promise<Commitment>;
  /** Stops the writer and closes the outbox. */
  close(): Promise<void>;
}

/** Opens the outbox of a directory and a writer over it. */
export const openWriter = async (
  directory: string,
  options: { chain?: FakeChainAndIndex; limits?: Limits; entriesMax?: number } = {},
): Promise<WriterFixture> => {
  const chain = options.chain ?? createFakeChainAndIndex();
  const outbox = await createOutbox({ directory, entriesMax: options.entriesMax ?? 1_000 });
  const problems: string[] = [];
  let failedAttempts = 0;
  const writer = createRecordWriter({
    outbox,
    submission: chain.submission,
    index: chain.index,
    assertWritable: () => undefined,
    waitMs: WAIT_MS,
    batchRecordsMax: 100,
    sharedBatchRecordsMax: options.limits?.batchRecordsMax ?? 100,
    batchBytesMax: 1_000_000,
    transactionsInFlight: 1,
    minedBatchesMax: 1,
    isPooled: true,
    onProblem: (message) => problems.push(message),
    onFailedAttempt: () => {
      failedAttempts += 1;
    },
    ...options.limits,
  });
  return {
    chain,
    outbox,
    writer,
    problems,
    failedAttempts: () => failedAttempts,
    append: (record, tenantIdentity = ALPHA) => writer.append(tenantIdentity, record),
    close: async () => {
      await writer.stop();
      await outbox.close();
    },
  };
};

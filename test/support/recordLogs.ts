// Builders of the contract's logs, decoded, as the chain port returns them, and what follows from a log.
import type { RecordLog } from '../../chain/port.ts';
import { toChecksumAddress } from '../../ledger/encoding/address.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toBlockTimestamp } from '../../ledger/encoding/timestamp.ts';
import { encodeRecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import { toKey, toStreamIdentityOf } from '../../ledger/identity.ts';
import type { Commitment } from '../../ledger/records/commitment.ts';
import { encodePayload, type LedgerRecord } from '../../ledger/records/record.ts';
import { ALPHA } from './records.ts';

export const AUTHOR: Hex = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
/** `AUTHOR` as the API writes it. */
export const AUTHOR_CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** What a resource says of its commitment before it is committed. */
export const BEFORE_COMMIT = {
  timestamp_committed: '1970-01-01T00:00:00Z',
  block_number: 0,
  transaction_index: 0,
  log_index: 0,
  transaction_id: '',
  from: '',
};

/** A record of a tenant that a test puts on a chain. */
export interface WrittenRecord {
  readonly tenantIdentity?: string;
  readonly record: LedgerRecord;
  /** Members of the log that differ from the default. */
  readonly changed?: Partial<RecordLog>;
}

export const toWord = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** The log of a record at a position in the chain, with a constant sequence, digest and head. */
export const toRecordLog = (
  { tenantIdentity = ALPHA, record, changed = {} }: WrittenRecord,
  blockNumber: number,
  logIndex = 0,
): RecordLog => ({
  tenantKey: toHex(toKey(tenantIdentity)),
  streamKey: toHex(toKey(toStreamIdentityOf(record))),
  recordKey: toHex(toKey(record.identity)),
  author: AUTHOR,
  sequence: 1,
  digest: toWord(0),
  head: `0x${'00'.repeat(28)}`,
  payload: encodePayload(record),
  blockNumber,
  blockHash: toWord(blockNumber),
  blockTimestampSeconds: 1_795_176_000 + blockNumber,
  transactionHash: toWord(blockNumber),
  transactionIndex: 0,
  logIndex,
  ...changed,
});

/** Where a log is, as the API shows it. */
export const toCommitment = (log: RecordLog): Commitment => ({
  confirmation_status: 'CONFIRMED',
  timestamp_committed: toBlockTimestamp(log.blockTimestampSeconds),
  block_number: log.blockNumber,
  transaction_index: log.transactionIndex,
  log_index: log.logIndex,
  transaction_id: log.transactionHash,
  from: toChecksumAddress(log.author),
});

/** The leaf of a log in the tree of its tenant. */
export const toLeaf = ({ digest, head, sequence, blockNumber, blockTimestampSeconds }: RecordLog): Uint8Array =>
  encodeRecordLeaf({
    digest: fromHex(digest),
    head: fromHex(head),
    sequence,
    blockNumber,
    blockTimeSeconds: blockTimestampSeconds,
  });

// Checks of records before they are projected: each digest is that of its payload, and each stream continues. The
// contract computes both, and its logs are proven by receipts, so a contradiction means other code or a defect here.
import type { RecordLog } from '../../chain/port.ts';
import { advanceHead, EMPTY_HEAD, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { decodeLeafIndex, headOf } from '../rows/leafRow.ts';
import { streamLeafKey } from '../treeKeys.ts';
import type { ReadRow } from './changes.ts';
import { type DecodableLog, toTenantKey } from './decodedRecord.ts';
import { createContradiction } from './projectAttestation.ts';
import { type LeafKeys, readLeafRow } from './projectLeaf.ts';

/** The keys of a log. */
export const toLeafKeys = ({ tenantKey, streamKey, recordKey }: DecodableLog): LeafKeys => ({
  tenantKey: toTenantKey(tenantKey),
  streamKey: fromHex(streamKey),
  recordKey: fromHex(recordKey),
});

/** The digest of a log's content. `domain`: the contract's EIP-712 domain separator, `keys`: those of the log. */
export const toDigest = (domain: Uint8Array, log: DecodableLog, keys: LeafKeys = toLeafKeys(log)): Uint8Array => {
  const { tenantKey, streamKey, recordKey } = keys;
  const author = fromHex(log.author);
  return toRecordDigest(domain, { tenantKey, streamKey, recordKey, author, payload: log.payload });
};

/**
 * Compares a log's digest with that of its content.
 * @throws LedgerError CHAIN_CORRUPT if they differ.
 */
export const assertDigest = ({ digest, blockNumber }: RecordLog, computed: Uint8Array): void => {
  if (toHex(computed) !== digest)
    throw createContradiction(blockNumber, 'the digest of a record is not that of its payload');
};

const readHead = (read: ReadRow, { tenantKey, streamKey }: LeafKeys, sequence: number): Uint8Array | undefined => {
  if (sequence <= 0) return sequence === 0 ? EMPTY_HEAD : undefined;
  const last = read(streamLeafKey(tenantKey, streamKey, sequence)) as Uint8Array | undefined;
  return last && headOf(readLeafRow(read, tenantKey, decodeLeafIndex(last)));
};

/**
 * Compares a record's sequence and head with the record before it in its stream.
 * @throws LedgerError CHAIN_CORRUPT if they don't continue the stream.
 */
export const assertContinues = (log: RecordLog, keys: LeafKeys, read: ReadRow): void => {
  const before = readHead(read, keys, log.sequence - 1);
  const head: Hex | undefined = before && toHex(advanceHead(before, fromHex(log.digest)));
  if (head !== log.head)
    throw createContradiction(log.blockNumber, `record ${log.sequence} doesn't continue its stream`);
};

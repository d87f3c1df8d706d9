// Reads from the calldata of `append` and `appendSigned` which records it appends, and their authors. Follows offsets
// as the contract does; rejects calldata with an offset or a count that no regular encoder writes.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import {
  APPEND_SELECTOR,
  APPEND_SIGNED_SELECTOR,
  readRecordKey,
  readSentBatch,
  readSignedPlaces,
  type SentBatch,
} from '../../appendLayout.ts';
import { type CalldataReader, createCalldataReader, SELECTOR_BYTES, tryRead } from '../../calldataReader.ts';

/** The records of an append. */
export interface AppendCalldata {
  /** Records in all batches, in order. */
  readonly records: readonly { readonly tenantKey: Hex; readonly recordKey: Hex }[];
  /** Lower-case authors of the batches. Empty for `append`, whose author is the sender. */
  readonly authors: readonly Hex[];
}

const toRecords = (reader: CalldataReader, { tenantKey, records }: SentBatch): AppendCalldata['records'] =>
  records.map((record) => ({ tenantKey: toHex(tenantKey), recordKey: toHex(readRecordKey(reader, record)) }));

const readAppend = (reader: CalldataReader): AppendCalldata => ({
  records: toRecords(reader, readSentBatch(reader)),
  authors: [],
});

const readAppendSigned = (reader: CalldataReader): AppendCalldata => {
  const batches = readSignedPlaces(reader);
  return {
    records: batches.flatMap((batch) => toRecords(reader, batch)),
    authors: batches.map(({ author }) => toHex(author)),
  };
};

const READERS: Readonly<Record<Hex, (reader: CalldataReader) => AppendCalldata>> = {
  [toHex(APPEND_SELECTOR)]: readAppend,
  [toHex(APPEND_SIGNED_SELECTOR)]: readAppendSigned,
};

/** Whether the calldata calls one of the functions that append records. */
export const isAppend = (data: Uint8Array): boolean => Object.hasOwn(READERS, toHex(data.subarray(0, SELECTOR_BYTES)));

/**
 * The records that the calldata appends; undefined when it is no append, is malformed, or has no record or more than
 * `recordsMax`. A regular encoder writes each word once, so no more is read than there is.
 */
export const readAppendCalldata = (data: Uint8Array, recordsMax: number): AppendCalldata | undefined => {
  const read = isAppend(data) ? READERS[toHex(data.subarray(0, SELECTOR_BYTES))] : undefined;
  const append = read && tryRead(() => read(createCalldataReader(data, recordsMax, data.length)));
  const count = append?.records.length ?? 0;
  return count > 0 && count <= recordsMax ? append : undefined;
};

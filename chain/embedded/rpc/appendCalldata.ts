// Reads from the calldata of `append` and `appendSigned` which records it appends, and their authors. Follows offsets
// as the contract does; rejects calldata with an offset or a count that no regular encoder writes.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import {
  type CalldataReader,
  createCalldataReader,
  SELECTOR_BYTES,
  tryRead,
  WORD_BYTES,
} from '../../calldataReader.ts';
import { ledgerInterface } from '../../ledgerAbi.ts';

/** The records of an append. */
export interface AppendCalldata {
  /** Records in all batches, in order. */
  readonly records: readonly { readonly tenantKey: Hex; readonly recordKey: Hex }[];
  /** Lower-case authors of the batches. Empty for `append`, whose author is the sender. */
  readonly authors: readonly Hex[];
}

const ADDRESS_OFFSET = 12;

const toSelector = (name: string): Hex => ledgerInterface.getFunction(name)!.selector as Hex;
const APPEND = toSelector('append');
const APPEND_SIGNED = toSelector('appendSigned');

type Records = AppendCalldata['records'];

const readRecords = ({ word, elements }: CalldataReader, at: number, tenantKey: Hex): Records =>
  elements(at).map((record) => ({ tenantKey, recordKey: toHex(word(record + WORD_BYTES)) }));

const readAppend = (reader: CalldataReader): AppendCalldata => {
  const { word, number } = reader;
  const tenantKey = toHex(word(SELECTOR_BYTES));
  return { records: readRecords(reader, SELECTOR_BYTES + number(SELECTOR_BYTES + WORD_BYTES), tenantKey), authors: [] };
};

const readAppendSigned = (reader: CalldataReader): AppendCalldata => {
  const { word, number, elements } = reader;
  const batches = elements(SELECTOR_BYTES + number(SELECTOR_BYTES)).map((batch) => ({
    author: toHex(word(batch + WORD_BYTES).subarray(ADDRESS_OFFSET)),
    records: readRecords(reader, batch + number(batch + 2 * WORD_BYTES), toHex(word(batch))),
  }));
  return { records: batches.flatMap((batch) => batch.records), authors: batches.map(({ author }) => author) };
};

const READERS: Readonly<Record<Hex, (reader: CalldataReader) => AppendCalldata>> = {
  [APPEND]: readAppend,
  [APPEND_SIGNED]: readAppendSigned,
};

/** Whether the calldata calls one of the functions that append records. */
export const isAppend = (data: Uint8Array): boolean => Object.hasOwn(READERS, toHex(data.subarray(0, SELECTOR_BYTES)));

/**
 * The records that the calldata appends; undefined when it is no append, is malformed, or has no record or more than
 * `recordsMax`.
 */
export const readAppendCalldata = (data: Uint8Array, recordsMax: number): AppendCalldata | undefined => {
  const read = isAppend(data) ? READERS[toHex(data.subarray(0, SELECTOR_BYTES))] : undefined;
  const append = read && tryRead(() => read(createCalldataReader(data, recordsMax)));
  const count = append?.records.length ?? 0;
  return count > 0 && count <= recordsMax ? append : undefined;
};

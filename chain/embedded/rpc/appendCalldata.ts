// Reads from the calldata of `append` and `appendSigned` which records it appends, and their authors. Follows offsets
// as the contract does; rejects calldata with an offset or a count that no regular encoder writes.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { ledgerInterface } from '../../ledgerAbi.ts';

/** The records of an append. */
export interface AppendCalldata {
  /** Records in all batches, in order. */
  readonly records: readonly { readonly tenantKey: Hex; readonly recordKey: Hex }[];
  /** Lower-case authors of the batches. Empty for `append`, whose author is the sender. */
  readonly authors: readonly Hex[];
}

const WORD_BYTES = 32;
const SELECTOR_BYTES = 4;
const ADDRESS_OFFSET = 12;

const toSelector = (name: string): Hex => ledgerInterface.getFunction(name)!.selector as Hex;
const APPEND = toSelector('append');
const APPEND_SIGNED = toSelector('appendSigned');

class NotReadable extends Error {}

type Records = AppendCalldata['records'];

const createReader = (data: Uint8Array, recordsMax: number) => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const word = (at: number): Buffer => {
    if (at + WORD_BYTES > bytes.length) throw new NotReadable();
    return bytes.subarray(at, at + WORD_BYTES);
  };
  // An offset or a count: below 2^32, as in all calldata that fits a transaction.
  const number = (at: number): number => {
    const value = word(at);
    if (value.subarray(0, WORD_BYTES - 4).some((byte) => byte !== 0)) throw new NotReadable();
    return value.readUInt32BE(WORD_BYTES - 4);
  };
  const count = (at: number): number => {
    const value = number(at);
    if (value > recordsMax) throw new NotReadable();
    return value;
  };
  const indexes = (length: number): number[] => Array.from({ length }, (_, index) => index);
  // A list of dynamic elements: its length, then their offsets, counted from the first offset.
  const elements = (at: number): number[] => {
    const first = at + WORD_BYTES;
    return indexes(count(at)).map((index) => first + number(first + index * WORD_BYTES));
  };
  return {
    word,
    number,
    elements,
    records: (at: number, tenantKey: Hex): Records =>
      elements(at).map((record) => ({ tenantKey, recordKey: toHex(word(record + WORD_BYTES)) })),
  };
};

type Reader = ReturnType<typeof createReader>;

const readAppend = ({ word, number, records }: Reader): AppendCalldata => {
  const tenantKey = toHex(word(SELECTOR_BYTES));
  return { records: records(SELECTOR_BYTES + number(SELECTOR_BYTES + WORD_BYTES), tenantKey), authors: [] };
};

const readAppendSigned = ({ word, number, elements, records }: Reader): AppendCalldata => {
  const batches = elements(SELECTOR_BYTES + number(SELECTOR_BYTES)).map((batch) => ({
    author: toHex(word(batch + WORD_BYTES).subarray(ADDRESS_OFFSET)),
    records: records(batch + number(batch + 2 * WORD_BYTES), toHex(word(batch))),
  }));
  return { records: batches.flatMap((batch) => batch.records), authors: batches.map(({ author }) => author) };
};

const READERS: Readonly<Record<Hex, (reader: Reader) => AppendCalldata>> = {
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
  try {
    const append = read?.(createReader(data, recordsMax));
    const count = append?.records.length ?? 0;
    return count > 0 && count <= recordsMax ? append : undefined;
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
};

// Where the calldata of `append` and `appendSigned` has its batches and records, as the contract finds them.
import { fromHex, type Hex } from '../ledger/encoding/hex.ts';
import { type CalldataReader, SELECTOR_BYTES, WORD_BYTES } from './calldataReader.ts';
import { ledgerInterface } from './ledgerAbi.ts';

const ADDRESS_OFFSET = 12;

const toSelector = (name: string): Buffer => Buffer.from(fromHex(ledgerInterface.getFunction(name)!.selector as Hex));

/** How the calldata of `append` begins. */
export const APPEND_SELECTOR = toSelector('append');
/** How the calldata of `appendSigned` begins. */
export const APPEND_SIGNED_SELECTOR = toSelector('appendSigned');

/** The batch of `append`, whose author is the sender. */
export interface SentBatch {
  readonly tenantKey: Buffer;
  /** Where its records begin. */
  readonly records: readonly number[];
}

/** A batch of `appendSigned`. */
export interface SignedBatchPlace extends SentBatch {
  /** Where it begins. */
  readonly at: number;
  /** 20 bytes. */
  readonly author: Buffer;
}

/** The batch of `append`. */
export const readSentBatch = ({ word, number, elements }: CalldataReader): SentBatch => ({
  tenantKey: word(SELECTOR_BYTES),
  records: elements(SELECTOR_BYTES + number(SELECTOR_BYTES + WORD_BYTES)),
});

/** The batches of `appendSigned`. */
export const readSignedPlaces = ({ word, number, elements }: CalldataReader): SignedBatchPlace[] =>
  elements(SELECTOR_BYTES + number(SELECTOR_BYTES)).map((at) => ({
    at,
    tenantKey: word(at),
    author: word(at + WORD_BYTES).subarray(ADDRESS_OFFSET),
    records: elements(at + number(at + 2 * WORD_BYTES)),
  }));

/** The key of the record that begins here. */
export const readRecordKey = ({ word }: CalldataReader, record: number): Buffer => word(record + WORD_BYTES);

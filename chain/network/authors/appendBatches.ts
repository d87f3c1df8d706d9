// Reads whole batches out of the calldata of `append` and `appendSigned`: what their authors have signed.
import type { RecordContent } from '../../../ledger/encoding/digest.ts';
import {
  APPEND_SELECTOR,
  APPEND_SIGNED_SELECTOR,
  readRecordKey,
  readSentBatch,
  readSignedPlaces,
} from '../../appendLayout.ts';
import {
  type CalldataReader,
  createCalldataReader,
  SELECTOR_BYTES,
  tryRead,
  WORD_BYTES,
} from '../../calldataReader.ts';
import type { SignedBatch } from '../../writing/appendCalls.ts';

/** Places of one calldata at which a call may begin. A payload has the selector by chance once in 4 GiB. */
const CALLS_MAX = 64;
/** How often all of one calldata may be read: a payload may be a call, in which a payload is one. */
const READS_MAX = 4;

type Batch = Pick<RecordContent, 'tenantKey' | 'author'>;

const readRecords = (reader: CalldataReader, batch: Batch, records: readonly number[]): RecordContent[] =>
  records.map((record) => ({
    ...batch,
    streamKey: reader.word(record),
    recordKey: readRecordKey(reader, record),
    payload: reader.bytes(record + reader.number(record + 2 * WORD_BYTES)),
  }));

// A regular encoder writes each thing once, so no more is read than there is.
const openReader = (call: Buffer, bytesMax = call.length): CalldataReader =>
  createCalldataReader(call, Math.floor(call.length / WORD_BYTES), Math.min(bytesMax, call.length));

const readSigned = (reader: CalldataReader): SignedBatch[] =>
  readSignedPlaces(reader).map(({ at, tenantKey, author, records }) => ({
    tenantKey,
    author,
    records: readRecords(reader, { tenantKey, author }, records),
    signature: reader.bytes(at + reader.number(at + 3 * WORD_BYTES)),
  }));

// Where the calldata of `appendSigned` may begin: a contract that passes it on gets it among its own arguments.
const findCalls = (input: Buffer): number[] => {
  const found: number[] = [];
  let at = input.indexOf(APPEND_SIGNED_SELECTOR);
  while (at !== -1 && found.length < CALLS_MAX) {
    found.push(at);
    at = input.indexOf(APPEND_SIGNED_SELECTOR, at + 1);
  }
  return found;
};

/** Whether calldata calls `append`, whose author is the sender. */
export const isDirectAppend = (input: Uint8Array): boolean => APPEND_SELECTOR.equals(input.subarray(0, SELECTOR_BYTES));

/** The records of calldata of `append` that this author sent; none if it can't be read. */
export const readSentRecords = (input: Buffer, author: Uint8Array): RecordContent[] => {
  const reader = openReader(input);
  return (
    tryRead(() => {
      const { tenantKey, records } = readSentBatch(reader);
      return readRecords(reader, { tenantKey, author }, records);
    }) ?? []
  );
};

/**
 * The batches of all calls of `appendSigned` in calldata, one within a call of another contract included. Nothing says
 * that the signatures are right. A call whose offsets name one place often has none.
 */
export const readSignedBatches = (input: Buffer): SignedBatch[] => {
  let bytesMax = READS_MAX * input.length;
  return findCalls(input).flatMap((at) => {
    const reader = openReader(input.subarray(at), bytesMax);
    const batches = tryRead(() => readSigned(reader));
    bytesMax -= reader.bytesRead;
    return batches ?? [];
  });
};

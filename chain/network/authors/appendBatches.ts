// Reads whole batches out of the calldata of `append` and `appendSigned`: what their authors have signed.
import type { RecordContent } from '../../../ledger/encoding/digest.ts';
import { fromHex } from '../../../ledger/encoding/hex.ts';
import {
  type CalldataReader,
  createCalldataReader,
  SELECTOR_BYTES,
  tryRead,
  WORD_BYTES,
} from '../../calldataReader.ts';
import { ledgerInterface } from '../../ledgerAbi.ts';
import type { SignedBatch } from '../../writing/appendCalls.ts';

const ADDRESS_OFFSET = 12;
/** Places of one calldata at which a call may begin. A payload has the selector by chance once in 4 GiB. */
const CALLS_MAX = 64;
/** How often all of one calldata may be read: a payload may be a call, in which a payload is one. */
const READS_MAX = 4;

const toSelector = (name: string): Buffer =>
  Buffer.from(fromHex(ledgerInterface.getFunction(name)!.selector as `0x${string}`));
const APPEND = toSelector('append');
const APPEND_SIGNED = toSelector('appendSigned');

type Batch = Pick<RecordContent, 'tenantKey' | 'author'>;

const readRecords = (reader: CalldataReader, at: number, batch: Batch): RecordContent[] =>
  reader.elements(at).map((record) => ({
    ...batch,
    streamKey: reader.word(record),
    recordKey: reader.word(record + WORD_BYTES),
    payload: reader.bytes(record + reader.number(record + 2 * WORD_BYTES)),
  }));

// A regular encoder writes each thing once, so no more is read than there is.
const openReader = (call: Buffer, bytesMax = call.length): CalldataReader =>
  createCalldataReader(call, Math.floor(call.length / WORD_BYTES), Math.min(bytesMax, call.length));

const readSigned = (reader: CalldataReader): SignedBatch[] => {
  const { word, number, elements, bytes } = reader;
  return elements(SELECTOR_BYTES + number(SELECTOR_BYTES)).map((at) => {
    const batch = { tenantKey: word(at), author: word(at + WORD_BYTES).subarray(ADDRESS_OFFSET) };
    const records = readRecords(reader, at + number(at + 2 * WORD_BYTES), batch);
    return { ...batch, records, signature: bytes(at + number(at + 3 * WORD_BYTES)) };
  });
};

// Where the calldata of `appendSigned` may begin: a contract that passes it on gets it among its own arguments.
const findCalls = (input: Buffer): number[] => {
  const found: number[] = [];
  let at = input.indexOf(APPEND_SIGNED);
  while (at !== -1 && found.length < CALLS_MAX) {
    found.push(at);
    at = input.indexOf(APPEND_SIGNED, at + 1);
  }
  return found;
};

/** Whether calldata calls `append`, whose author is the sender. */
export const isDirectAppend = (input: Uint8Array): boolean => APPEND.equals(input.subarray(0, SELECTOR_BYTES));

/** The records of calldata of `append` that this author sent; none if it can't be read. */
export const readSentRecords = (input: Buffer, author: Uint8Array): RecordContent[] => {
  const reader = openReader(input);
  return (
    tryRead(() => {
      const batch = { tenantKey: reader.word(SELECTOR_BYTES), author };
      return readRecords(reader, SELECTOR_BYTES + reader.number(SELECTOR_BYTES + WORD_BYTES), batch);
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

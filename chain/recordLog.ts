// Decodes the contract's `RecordAppended` log by hand: ethers decodes 3,000 a second, this code some hundred thousand.
// Refuses every encoding but the canonical one. Tested byte for byte against ethers.
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { keccak256 } from '../ledger/encoding/keccak.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { RecordLog } from './port.ts';

/** A log as JSON-RPC encodes it. */
export interface RpcLog {
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

const EVENT = 'RecordAppended(bytes32,bytes32,bytes32,address,uint32,bytes32,bytes28,bytes)';

/** First topic of a `RecordAppended` log. */
export const RECORD_APPENDED_TOPIC: Hex = toHex(keccak256(Buffer.from(EVENT, 'ascii')));

// The data: author, sequence, digest, head, offset of the payload, length of the payload; then the payload, padded.
const WORD = 32;
const AUTHOR_AT = 12;
const SEQUENCE_AT = WORD + 28;
const DIGEST_AT = 2 * WORD;
const HEAD_AT = 3 * WORD;
const HEAD_END = HEAD_AT + 28;
const OFFSET_AT = 4 * WORD;
const OFFSET = 5 * WORD;
const LENGTH_AT = OFFSET + 28;
const PAYLOAD_AT = 6 * WORD;

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,12})$/;

const refuse = (problem: string): LedgerError =>
  new LedgerError('CHAIN_CORRUPT', { message: `A RecordAppended log is malformed: ${problem}` });

const decodeLogHash = (text: string | undefined, name: string): Hex => {
  if (text === undefined || !HASH.test(text)) throw refuse(name);
  return text as Hex;
};

const decodeLogQuantity = (text: string, name: string): number => {
  if (!QUANTITY.test(text)) throw refuse(name);
  return Number(text);
};

const decodeData = (text: string): Buffer => {
  const data = Buffer.from(text.slice(2), 'hex');
  if (!text.startsWith('0x') || data.length * 2 !== text.length - 2) throw refuse('data is not hexadecimal');
  if (data.length < PAYLOAD_AT) throw refuse('data is too short');
  return data;
};

const assertZeros = (data: Buffer, start: number, end: number): void => {
  for (let at = start; at < end; at += 1) if (data[at] !== 0) throw refuse(`byte ${at} of the data is not zero`);
};

const decodeLogPayload = (data: Buffer): Uint8Array => {
  assertZeros(data, OFFSET_AT, OFFSET_AT + WORD - 1);
  if (data[OFFSET_AT + WORD - 1] !== OFFSET) throw refuse('offset of the payload');
  assertZeros(data, OFFSET, LENGTH_AT);
  const end = PAYLOAD_AT + data.readUInt32BE(LENGTH_AT);
  if (data.length !== PAYLOAD_AT + Math.ceil((end - PAYLOAD_AT) / WORD) * WORD) throw refuse('length of the payload');
  assertZeros(data, end, data.length);
  return data.subarray(PAYLOAD_AT, end);
};

const decodeContent = (data: Buffer): Pick<RecordLog, 'author' | 'sequence' | 'digest' | 'head' | 'payload'> => {
  assertZeros(data, 0, AUTHOR_AT);
  assertZeros(data, WORD, SEQUENCE_AT);
  assertZeros(data, HEAD_END, OFFSET_AT);
  return {
    author: toHex(data.subarray(AUTHOR_AT, WORD)),
    sequence: data.readUInt32BE(SEQUENCE_AT),
    digest: toHex(data.subarray(DIGEST_AT, HEAD_AT)),
    head: toHex(data.subarray(HEAD_AT, HEAD_END)),
    payload: decodeLogPayload(data),
  };
};

/**
 * Decodes a `RecordAppended` log. The log doesn't contain its block's time, so the caller passes that, in seconds.
 * @throws LedgerError CHAIN_CORRUPT for a log that the contract cannot have emitted.
 */
export const decodeRecordLog = (log: RpcLog, blockTimestampSeconds: number): RecordLog => {
  if (log.topics.length !== 4 || log.topics[0] !== RECORD_APPENDED_TOPIC) throw refuse('topics');
  return {
    tenantKey: decodeLogHash(log.topics[1], 'tenant'),
    streamKey: decodeLogHash(log.topics[2], 'stream'),
    recordKey: decodeLogHash(log.topics[3], 'id'),
    ...decodeContent(decodeData(log.data)),
    blockNumber: decodeLogQuantity(log.blockNumber, 'blockNumber'),
    blockHash: decodeLogHash(log.blockHash, 'blockHash'),
    blockTimestampSeconds,
    transactionHash: decodeLogHash(log.transactionHash, 'transactionHash'),
    transactionIndex: decodeLogQuantity(log.transactionIndex, 'transactionIndex'),
    logIndex: decodeLogQuantity(log.logIndex, 'logIndex'),
  };
};

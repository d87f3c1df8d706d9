// The bytes of a block's logs of records and attestations in the copy of the newest blocks: a version (1 byte), the
// block's hash (32), the weight of all logs of the block (4), then for each log its index in the block (4), the address
// (20), the number of topics (1), the topics (32 each), the length of the data (4), the data. The other fields of a log
// are those of its block.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { hasContractTopic, weighLogs } from '../../contractLogs.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { type ByteReader, createByteReader } from '../../leveldb/byteReader.ts';
import type { TimedRpcLog } from '../readEmbeddedLogs.ts';
import { decodeBlockKey, encodeBlockKey, type JournalBlock } from './journalBlock.ts';

/** The logs of a block of the journal, as they were encoded when it was mined. */
export interface KeptLogs {
  readonly block: JournalBlock;
  readonly bytes: Uint8Array;
}

const VERSION = 3;
const HASH_BYTES = 32;
const WEIGHT_AT = 1 + HASH_BYTES;
const HEADER_BYTES = WEIGHT_AT + 4;
const INDEX_BYTES = 4;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;
const LENGTH_BYTES = 4;

// A block's key begins with a zero byte, so keys of logs sort after all keys of blocks.
const LOGS_PREFIX = Buffer.of(0xff);

/** Key of the logs of a block in the copy of the newest blocks. */
export const encodeLogsKey = (number: number): Uint8Array => Buffer.concat([LOGS_PREFIX, encodeBlockKey(number)]);

/**
 * The number of the block that a key of the copy belongs to.
 * @throws LedgerError CHAIN_CORRUPT for bytes that are no key.
 */
export const decodeCopyKey = (key: Uint8Array): number =>
  decodeBlockKey(key[0] === LOGS_PREFIX[0] ? key.subarray(LOGS_PREFIX.length) : key);

const toByteLength = (hex: string): number => (hex.length - 2) / 2;

const toLogBytes = ({ topics, data }: TimedRpcLog): number =>
  INDEX_BYTES + ADDRESS_BYTES + 1 + topics.length * TOPIC_BYTES + LENGTH_BYTES + toByteLength(data);

const writeHex = (bytes: Buffer, hex: string, at: number): number => at + bytes.write(hex.slice(2), at, 'hex');

const writeLog = (bytes: Buffer, { logIndex, address, topics, data }: TimedRpcLog, start: number): number => {
  let at = bytes.writeUInt32BE(Number(logIndex), start);
  at = writeHex(bytes, address, at);
  at = bytes.writeUInt8(topics.length, at);
  for (const topic of topics) at = writeHex(bytes, topic, at);
  at = bytes.writeUInt32BE(toByteLength(data), at);
  return writeHex(bytes, data, at);
};

/** Encodes the logs of records and attestations, of any contract, among all logs of the block with this hash. */
export const encodeBlockLogs = (hash: Hex, logs: readonly TimedRpcLog[]): Uint8Array => {
  const kept = logs.filter(hasContractTopic);
  const bytes = Buffer.allocUnsafe(kept.reduce((sum, log) => sum + toLogBytes(log), HEADER_BYTES));
  let at = bytes.writeUInt32BE(weighLogs(logs), writeHex(bytes, hash, bytes.writeUInt8(VERSION)));
  for (const log of kept) at = writeLog(bytes, log, at);
  return bytes;
};

/** Whether these are logs of the block with this hash, in the present format. */
export const isOfBlock = (bytes: Uint8Array, hash: Hex): boolean =>
  bytes[0] === VERSION && toHex(bytes.subarray(1, WEIGHT_AT)) === hash;

const readLog = (reader: ByteReader): Pick<TimedRpcLog, 'logIndex' | 'address' | 'topics' | 'data'> => ({
  logIndex: toQuantity(reader.take(INDEX_BYTES).readUInt32BE()),
  address: toHex(reader.take(ADDRESS_BYTES)),
  topics: Array.from({ length: reader.take(1).readUInt8() }, () => toHex(reader.take(TOPIC_BYTES))),
  data: toHex(reader.take(reader.take(LENGTH_BYTES).readUInt32BE())),
});

/** Weight of all logs of a block, which has one transaction: `weighLogs`. */
export const weightOf = ({ bytes }: Pick<KeptLogs, 'bytes'>): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32BE(WEIGHT_AT);

/** Decodes the logs of a block, which has one transaction. */
export const decodeBlockLogs = ({ block, bytes }: KeptLogs): TimedRpcLog[] => {
  const ofBlock = {
    blockNumber: toQuantity(block.number),
    blockHash: block.hash,
    blockTimestamp: toQuantity(block.timestampSeconds),
    transactionHash: toHex(keccak256(block.transaction)),
    transactionIndex: toQuantity(0),
  };
  const { buffer, byteOffset, byteLength } = bytes.subarray(HEADER_BYTES);
  const reader = createByteReader(Buffer.from(buffer, byteOffset, byteLength), HEADER_BYTES);
  const logs: TimedRpcLog[] = [];
  while (!reader.isAtEnd) logs.push({ ...readLog(reader), ...ofBlock });
  return logs;
};

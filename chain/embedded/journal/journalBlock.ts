// The bytes of a block in the journal: timestamp (8 bytes, big-endian, seconds), hash (32 bytes), the raw transaction.
// The block's hash covers every byte, and replay computes it again, so an entry needs no checksum of its own.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';

/** The part of a block that replay needs. */
export interface JournalBlock {
  readonly number: number;
  readonly timestampSeconds: number;
  readonly hash: Hex;
  readonly transaction: Uint8Array;
}

const TIMESTAMP_BYTES = 8;
const HASH_BYTES = 32;
const HEADER_BYTES = TIMESTAMP_BYTES + HASH_BYTES;
const KEY_BYTES = 8;

const REMEDY = 'Nothing was changed. To see what can be restored, run: npm run repair -- --dry-run';

/** CHAIN_CORRUPT for a damaged journal; the message names the remedy. */
export const refuseJournal = (problem: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_CORRUPT', { message: `The journal is damaged: ${problem}. ${REMEDY}`, cause });

/** CHAIN_CORRUPT for a journal that is damaged at this block. */
export const refuseBlock = (number: number, problem: string, cause?: unknown): LedgerError =>
  refuseJournal(`block ${number}: ${problem}`, cause);

/** Key of a block: its number in eight bytes, big-endian, so that keys sort by number. */
export const encodeBlockKey = (number: number): Uint8Array => {
  const key = Buffer.alloc(KEY_BYTES);
  key.writeBigUInt64BE(BigInt(number));
  return key;
};

/** The largest key of a block. */
export const NEWEST_BLOCK_KEY = encodeBlockKey(Number.MAX_SAFE_INTEGER);

/**
 * The block number of a key.
 * @throws LedgerError CHAIN_CORRUPT for bytes that are no key.
 */
export const decodeBlockKey = (key: Uint8Array): number => {
  const bytes = Buffer.from(key);
  const number = bytes.length === KEY_BYTES ? Number(bytes.readBigUInt64BE()) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw new LedgerError('CHAIN_CORRUPT', { message: `The journal has a malformed key: ${toHex(key)}` });
  }
  return number;
};

/** Encodes the entry of a block. */
export const encodeBlock = (block: JournalBlock): Uint8Array => {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + block.transaction.length);
  bytes.writeBigUInt64BE(BigInt(block.timestampSeconds));
  bytes.write(block.hash.slice(2), TIMESTAMP_BYTES, HASH_BYTES, 'hex');
  bytes.set(block.transaction, HEADER_BYTES);
  return bytes;
};

/**
 * Decodes the entry of block `number`.
 * @throws LedgerError CHAIN_CORRUPT for an entry that cannot be a block's.
 */
export const decodeBlock = (number: number, value: Uint8Array): JournalBlock => {
  if (value.length <= HEADER_BYTES) throw refuseBlock(number, 'the entry is too short');
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const timestampSeconds = Number(bytes.readBigUInt64BE());
  if (!Number.isSafeInteger(timestampSeconds)) throw refuseBlock(number, 'the timestamp is out of range');
  return {
    number,
    timestampSeconds,
    hash: toHex(bytes.subarray(TIMESTAMP_BYTES, HEADER_BYTES)),
    transaction: bytes.subarray(HEADER_BYTES),
  };
};

// A leaf of a tenant's Merkle tree: what the contract hashes for each record, in chain order. 80 bytes: digest (32),
// head of the stream after the record (28), sequence (uint32), block number and block time (uint64), all big-endian.
import { readUint64, toView, writeUint64 } from './bytes.ts';
import { assertReadable } from './unreadableEvidence.ts';

/** Length of a leaf's data, in bytes. */
export const LEAF_BYTES = 80;

const HEAD_AT = 32;
const SEQUENCE_AT = 60;
const BLOCK_NUMBER_AT = 64;
const BLOCK_TIME_AT = 72;
const SEQUENCE_MAX = 0xffff_ffff;

/** A record's place in its stream and on the chain. */
export interface RecordLeaf {
  /** 32 bytes. */
  readonly digest: Uint8Array;
  /** 28 bytes: the head of the stream after the record. */
  readonly head: Uint8Array;
  /** Position in the stream, from 1 on. */
  readonly sequence: number;
  readonly blockNumber: number;
  readonly blockTimeSeconds: number;
}

const isUpTo = (value: number, max: number): boolean => Number.isInteger(value) && value >= 0 && value <= max;

/**
 * The data of a leaf: 80 bytes.
 * @throws UnreadableEvidence for a part outside of its range.
 */
export const encodeRecordLeaf = (leaf: RecordLeaf): Uint8Array => {
  const { digest, head, sequence, blockNumber, blockTimeSeconds } = leaf;
  const isNumbers =
    isUpTo(sequence, SEQUENCE_MAX) &&
    isUpTo(blockNumber, Number.MAX_SAFE_INTEGER) &&
    isUpTo(blockTimeSeconds, Number.MAX_SAFE_INTEGER);
  assertReadable(
    isNumbers && digest.length === HEAD_AT && head.length === SEQUENCE_AT - HEAD_AT,
    'not a leaf of a record',
  );
  const bytes = new Uint8Array(LEAF_BYTES);
  bytes.set(digest);
  bytes.set(head, HEAD_AT);
  toView(bytes).setUint32(SEQUENCE_AT, sequence);
  writeUint64(bytes, BLOCK_NUMBER_AT, blockNumber);
  writeUint64(bytes, BLOCK_TIME_AT, blockTimeSeconds);
  return bytes;
};

/**
 * The parts of a leaf.
 * @throws UnreadableEvidence for another length than 80 bytes, or a number beyond 2^53 - 1.
 */
export const decodeRecordLeaf = (bytes: Uint8Array): RecordLeaf => {
  assertReadable(bytes.length === LEAF_BYTES, 'a leaf without 80 bytes');
  return {
    digest: bytes.subarray(0, HEAD_AT),
    head: bytes.subarray(HEAD_AT, SEQUENCE_AT),
    sequence: toView(bytes).getUint32(SEQUENCE_AT),
    blockNumber: readUint64(bytes, BLOCK_NUMBER_AT),
    blockTimeSeconds: readUint64(bytes, BLOCK_TIME_AT),
  };
};

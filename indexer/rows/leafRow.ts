// The row of a leaf of a tenant's tree: its data, its record, and the hashes of the subtrees that it completes. So each
// complete subtree of two leaves or more has its hash in the row of its last leaf, and a leaf is one write.
import type { RecordLog } from '../../chain/port.ts';
import { writeUint64 } from '../../ledger/evidence/bytes.ts';
import { hashLeaf, type NodePosition } from '../../ledger/evidence/merkleTree.ts';
import { LEAF_BYTES } from '../../ledger/evidence/recordLeaf.ts';

const TAG = 9;
const TAG_INDEX = 10;
const AT = { digest: 1, head: 33, sequence: 61, block: 65, seconds: 73, transaction: 81, log: 85, record: 89 } as const;
const HEADER_BYTES = 121;
const HASH_BYTES = 32;

/** A record's place on the chain, as its leaf's row has it. */
export interface LeafPlace {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

/** Encodes the row of a leaf, with room for `levels` hashes of subtrees, which `setNode` writes. */
export const encodeLeafRow = (log: RecordLog, recordKey: Uint8Array, levels: number): Buffer => {
  const row = Buffer.alloc(HEADER_BYTES + levels * HASH_BYTES);
  row[0] = TAG;
  row.write(log.digest.slice(2), AT.digest, 'hex');
  row.write(log.head.slice(2), AT.head, 'hex');
  row.writeUInt32BE(log.sequence, AT.sequence);
  writeUint64(row, AT.block, log.blockNumber);
  writeUint64(row, AT.seconds, log.blockTimestampSeconds);
  row.writeUInt32BE(log.transactionIndex, AT.transaction);
  row.writeUInt32BE(log.logIndex, AT.log);
  row.set(recordKey, AT.record);
  return row;
};

/** The data of a row's leaf: 80 bytes. */
export const leafDataOf = (row: Uint8Array): Uint8Array => row.subarray(AT.digest, AT.digest + LEAF_BYTES);

/** The head of the stream after a row's record: 28 bytes. */
export const headOf = (row: Uint8Array): Uint8Array => row.subarray(AT.head, AT.sequence);

/** The key of a row's record. */
export const leafRecordKeyOf = (row: Uint8Array): Uint8Array => row.subarray(AT.record, HEADER_BYTES);

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** Where the chain has a row's record. */
export const leafPlaceOf = (bytes: Uint8Array): LeafPlace => {
  const row = toBuffer(bytes);
  return {
    blockNumber: row.readUIntBE(AT.block + 2, 6),
    transactionIndex: row.readUInt32BE(AT.transaction),
    logIndex: row.readUInt32BE(AT.log),
  };
};

/** Sets the hash of the subtree of 2^level leaves that ends with a row's leaf. `level`: from 1. */
export const setNode = (row: Uint8Array, level: number, hash: Uint8Array): void =>
  row.set(hash, HEADER_BYTES + (level - 1) * HASH_BYTES);

/** The hash of the complete subtree of 2^level leaves that ends with a row's leaf; level 0: the leaf's own. */
export const nodeOf = (row: Uint8Array, level: number): Uint8Array => {
  if (level === 0) return hashLeaf(leafDataOf(row));
  const at = HEADER_BYTES + (level - 1) * HASH_BYTES;
  return row.subarray(at, at + HASH_BYTES);
};

/** The number of the last leaf of a subtree, whose row has the subtree's hash. */
export const lastLeafOf = ({ level, index }: NodePosition): number => (index + 1) * 2 ** level - 1;

/** Encodes the row of a position of a stream: the number of the record's leaf. */
export const encodeLeafIndex = (index: number): Uint8Array => {
  const row = Buffer.alloc(5, TAG_INDEX);
  row.writeUInt32BE(index, 1);
  return row;
};

/** Decodes the row of a position of a stream to the number of its leaf. */
export const decodeLeafIndex = (row: Uint8Array): number => toBuffer(row).readUInt32BE(1);

// Trees of RFC 9162 as its recursive definitions say, and the vectors of another program.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';

interface HeadVector {
  readonly size: number;
  readonly root: Hex;
}

export interface InclusionVector extends HeadVector {
  readonly index: number;
  readonly path: readonly Hex[];
}

export interface ConsistencyVector {
  readonly from: HeadVector;
  readonly to: HeadVector;
  readonly proof: readonly Hex[];
}

interface Proofs {
  readonly inclusions: readonly InclusionVector[];
  readonly consistencies: readonly ConsistencyVector[];
}

interface MerkleVectors {
  readonly small: readonly (HeadVector & { readonly inclusions: Hex; readonly consistencies: Hex })[];
  readonly large: Proofs;
  readonly huge: Proofs & { readonly leaf_data: Hex };
}

/** Reads test/vectors/merkleTree.json. */
export const readMerkleVectors = (): MerkleVectors =>
  JSON.parse(readFileSync(new URL('../vectors/merkleTree.json', import.meta.url), 'utf8')) as MerkleVectors;

/** The data of leaf `index` in the vectors. */
export const leafData = (index: number): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(index));
  return new Uint8Array(bytes);
};

const hash = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());

/** SHA-256 of the concatenated hashes, as in the vectors. */
export const hashOfAll = (hashes: readonly Uint8Array[]): Hex => toHex(hash(...hashes));

const split = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

/** MTH(D) of section 2.1.1. */
export const naiveRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return hash(Uint8Array.of(0), leaves[0]!);
  const k = split(leaves.length);
  return hash(Uint8Array.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
};

/** PATH(m, D) of section 2.1.3.1. */
export const naivePath = (m: number, leaves: readonly Uint8Array[]): Uint8Array[] => {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
};

// SUBPROOF(m, D, b) of section 2.1.4.1.
const naiveSubproof = (m: number, leaves: readonly Uint8Array[], isWhole: boolean): Uint8Array[] => {
  if (m === leaves.length) return isWhole ? [] : [naiveRoot(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...naiveSubproof(m, leaves.slice(0, k), isWhole), naiveRoot(leaves.slice(k))]
    : [...naiveSubproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))];
};

/** PROOF(m, D) of section 2.1.4.1. */
export const naiveConsistency = (m: number, leaves: readonly Uint8Array[]): Uint8Array[] =>
  naiveSubproof(m, leaves, true);

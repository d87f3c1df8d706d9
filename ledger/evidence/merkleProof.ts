// Inclusion and consistency proofs of the tree in `merkleTree.ts` (RFC 9162, sections 2.1.3 and 2.1.4). A proof is made
// in two steps, so that the caller decides how nodes are read: a plan names the complete subtrees that are needed, and
// `toProof` computes the hashes from them.
import { isSameBytes } from './bytes.ts';
import {
  assertHashes,
  assertTreeSize,
  EMPTY_ROOT,
  hashNode,
  type NodePosition,
  toPeakPositions,
  toRootOfPeaks,
} from './merkleTree.ts';
import { assertReadable } from './unreadableEvidence.ts';

/** Hashes of a proof, at most. A tree of 2^53 - 1 leaves needs 54. */
const PROOF_HASHES_MAX = 64;

/** Complete subtrees for each hash of a proof, from the largest to the smallest: the hash is the root over them. */
export type ProofPlan = readonly (readonly NodePosition[])[];

/** A tree as others know it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** The largest power of two below `size`, which is 2 or more. */
const toSplit = (size: number): number => {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
};

const isOdd = (value: number): boolean => value % 2 === 1;

const half = (value: number): number => Math.floor(value / 2);

const assertProof = (hashes: readonly Uint8Array[]): void => {
  assertReadable(hashes.length <= PROOF_HASHES_MAX, 'a proof of more than 64 hashes');
  assertHashes(hashes);
};

/**
 * The subtrees that prove a leaf: for each hash of its path, from the leaf's sibling upwards.
 * @throws UnreadableEvidence unless 0 <= index < size <= 2^53 - 1.
 */
export const planInclusion = (index: number, size: number): ProofPlan => {
  assertIndex(index, size);
  const plan: NodePosition[][] = [];
  let [start, rest] = [0, size];
  while (rest > 1) {
    const split = toSplit(rest);
    const isLeft = index < start + split;
    plan.unshift(isLeft ? toPeakPositions(rest - split, start + split) : toPeakPositions(split, start));
    if (!isLeft) start += split;
    rest = isLeft ? split : rest - split;
  }
  return plan;
};

/**
 * The subtrees that prove that a tree is the beginning of a larger one.
 * @throws UnreadableEvidence unless 0 <= from <= to <= 2^53 - 1.
 */
export const planConsistency = (from: number, to: number): ProofPlan => {
  assertSizes(from, to);
  if (from === 0 || from === to) return [];
  const plan: NodePosition[][] = [];
  let [start, rest, isWholeSoFar] = [0, to, true];
  while (start + rest !== from) {
    const split = toSplit(rest);
    const isLeft = from <= start + split;
    plan.unshift(isLeft ? toPeakPositions(rest - split, start + split) : toPeakPositions(split, start));
    if (!isLeft) [start, isWholeSoFar] = [start + split, false];
    rest = isLeft ? split : rest - split;
  }
  return isWholeSoFar ? plan : [toPeakPositions(rest, start), ...plan];
};

/**
 * The hashes of a planned proof.
 * @param hashOf returns the hash of each subtree that the plan names.
 */
export const toProof = (plan: ProofPlan, hashOf: (position: NodePosition) => Uint8Array): Uint8Array[] =>
  plan.map((positions) => toRootOfPeaks(positions.map(hashOf)));

const assertIndex = (index: number, size: number): void => {
  assertTreeSize(size);
  assertReadable(Number.isSafeInteger(index) && index >= 0 && index < size, 'an index outside of the tree');
};

const assertSizes = (from: number, to: number): void => {
  assertTreeSize(from);
  assertTreeSize(to);
  assertReadable(from <= to, 'a tree that is larger than the later one');
};

// For each hash of a path that begins at a node, whether it is the left child; undefined when the path has another
// length. `last` is the index of the last node of that level.
const toSides = (node: number, lastNode: number, length: number): boolean[] | undefined => {
  const sides: boolean[] = [];
  let [index, last] = [node, lastNode];
  while (last > 0 && sides.length < length) {
    const isLeft = isOdd(index) || index === last;
    sides.push(isLeft);
    // The last node of a level moves up unchanged while it has no sibling.
    while (isLeft && !isOdd(index) && index > 0) [index, last] = [half(index), half(last)];
    [index, last] = [half(index), half(last)];
  }
  return last === 0 && sides.length === length ? sides : undefined;
};

/**
 * Whether the leaf with this hash is at the index of the tree.
 * @param path hashes from the leaf's sibling upwards.
 * @throws UnreadableEvidence for an index outside of the tree, more than 64 hashes, or a hash without 32 bytes.
 */
export const isIncluded = (
  leaf: { readonly index: number; readonly hash: Uint8Array },
  path: readonly Uint8Array[],
  tree: TreeHead,
): boolean => {
  assertIndex(leaf.index, tree.size);
  assertProof(path);
  assertHashes([leaf.hash, tree.root]);
  const sides = toSides(leaf.index, tree.size - 1, path.length);
  if (sides === undefined) return false;
  const root = path.reduce(
    (hash, sibling, at) => (sides[at] ? hashNode(sibling, hash) : hashNode(hash, sibling)),
    leaf.hash,
  );
  return isSameBytes(root, tree.root);
};

/**
 * Whether a tree is the beginning of another one. Every tree extends the empty one; a tree of the same size must have
 * the same root. In both cases the proof is empty.
 * @throws UnreadableEvidence when `from` is the larger one, for more than 64 hashes, or for a hash without 32 bytes.
 */
export const isConsistent = (from: TreeHead, to: TreeHead, proof: readonly Uint8Array[]): boolean => {
  assertSizes(from.size, to.size);
  assertProof(proof);
  assertHashes([from.root, to.root]);
  if (from.size === to.size) return proof.length === 0 && isSameBytes(from.root, to.root);
  if (from.size === 0) return proof.length === 0 && isSameBytes(from.root, EMPTY_ROOT);
  let [index, last] = [from.size - 1, to.size - 1];
  while (isOdd(index)) [index, last] = [half(index), half(last)];
  // The proof of a complete tree doesn't repeat its root.
  const [first, ...later] = index === 0 ? [from.root, ...proof] : proof;
  const sides = toSides(index, last, later.length);
  return first !== undefined && sides !== undefined && isExtension(first, later, sides, [from.root, to.root]);
};

// Hashes on the left belong to both trees, those on the right only to the larger one.
const isExtension = (
  first: Uint8Array,
  hashes: readonly Uint8Array[],
  sides: readonly boolean[],
  [fromRoot, toRoot]: readonly [Uint8Array, Uint8Array],
): boolean => {
  let [from, to] = [first, first];
  for (const [at, hash] of hashes.entries()) {
    if (sides[at]) from = hashNode(hash, from);
    to = sides[at] ? hashNode(hash, to) : hashNode(to, hash);
  }
  return isSameBytes(from, fromRoot) && isSameBytes(to, toRoot);
};

// The SHA-256 Merkle tree of RFC 9162 (section 2.1, the same as in RFC 6962): hashes, roots, and the frontier that an
// append-only log keeps. Sizes go up to 2^53 - 1, so positions are calculated without bit operators.
import { sha256 } from './sha256.ts';
import { assertReadable } from './unreadableEvidence.ts';

const LEAF_PREFIX = Uint8Array.of(0x00);
const NODE_PREFIX = Uint8Array.of(0x01);

/** Length of every hash of a tree, in bytes. */
const HASH_BYTES = 32;

/** Root of the tree without leaves. */
export const EMPTY_ROOT: Uint8Array = sha256();

/** A complete subtree: the 2^level leaves from leaf index · 2^level on. */
export interface NodePosition {
  readonly level: number;
  readonly index: number;
}

/** Finds hashes of complete subtrees by their positions. `hashes` are in the order of `positions`. */
export const toNodeLookup = (
  positions: readonly NodePosition[],
  hashes: readonly Uint8Array[],
): ((position: NodePosition) => Uint8Array) => {
  const toName = ({ level, index }: NodePosition): string => `${level}/${index}`;
  const byName = new Map(positions.map((position, at) => [toName(position), hashes[at]!]));
  return (position) => byName.get(toName(position))!;
};

/** What an append-only tree needs to grow: its complete subtrees that no larger complete subtree contains. */
export interface Frontier {
  readonly size: number;
  /** Hash of the complete subtree of each level; undefined where the binary form of `size` has a 0. */
  readonly peaks: readonly (Uint8Array | undefined)[];
}

/** The tree without leaves. */
export const EMPTY_FRONTIER: Frontier = { size: 0, peaks: [] };

/** Hash of a leaf with these data: SHA-256(0x00 | data). */
export const hashLeaf = (...data: readonly Uint8Array[]): Uint8Array => sha256(LEAF_PREFIX, ...data);

/** Hash of a node with two children: SHA-256(0x01 | left | right). */
export const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(NODE_PREFIX, left, right);

/**
 * Refuses what can't be the size of a tree.
 * @throws UnreadableEvidence unless it is an integer from 0 to 2^53 - 1.
 */
export const assertTreeSize = (size: number): void =>
  assertReadable(Number.isSafeInteger(size) && size >= 0, 'not a size of a tree');

/**
 * Refuses hashes of the wrong length.
 * @throws UnreadableEvidence unless each has 32 bytes.
 */
export const assertHashes = (hashes: readonly Uint8Array[]): void =>
  assertReadable(
    hashes.every(({ length }) => length === HASH_BYTES),
    'a hash without 32 bytes',
  );

/**
 * The complete subtrees of a tree of this size, from the largest to the smallest.
 * @param start the leaf that the tree begins with, a multiple of the largest power of two up to `size`.
 */
export const toPeakPositions = (size: number, start = 0): NodePosition[] => {
  const peaks: NodePosition[] = [];
  let [rest, end] = [size, start + size];
  for (let level = 0; rest > 0; level += 1) {
    const width = 2 ** level;
    if (rest % 2 === 1) {
      end -= width;
      peaks.unshift({ level, index: end / width });
    }
    rest = Math.floor(rest / 2);
  }
  return peaks;
};

/** Root of the tree with these complete subtrees, from the largest to the smallest. */
export const toRootOfPeaks = (peaks: readonly Uint8Array[]): Uint8Array => {
  const [smallest, ...larger] = [...peaks].reverse();
  return smallest === undefined ? EMPTY_ROOT : larger.reduce((root, peak) => hashNode(peak, root), smallest);
};

/** Root of a growing tree. */
export const toFrontierRoot = ({ peaks }: Frontier): Uint8Array =>
  toRootOfPeaks(peaks.filter((peak) => peak !== undefined).reverse());

/**
 * The tree after more leaves.
 * @param leafHashes hashes of the new leaves, in order.
 * @param onComplete is called with each subtree that a leaf completes, itself included, in the order of their ends.
 * @throws UnreadableEvidence beyond 2^53 - 1 leaves.
 */
export const extendFrontier = (
  frontier: Frontier,
  leafHashes: Iterable<Uint8Array>,
  onComplete?: (position: NodePosition, hash: Uint8Array) => void,
): Frontier => {
  const peaks = [...frontier.peaks];
  let { size } = frontier;
  for (const leafHash of leafHashes) {
    assertTreeSize(size + 1);
    let [hash, level, index] = [leafHash, 0, size];
    onComplete?.({ level, index }, hash);
    for (; index % 2 === 1; level += 1) {
      hash = hashNode(peaks[level]!, hash);
      peaks[level] = undefined;
      index = Math.floor(index / 2);
      onComplete?.({ level: level + 1, index }, hash);
    }
    peaks[level] = hash;
    size += 1;
  }
  return { size, peaks };
};

/** Root of the tree with these leaf hashes. */
export const toRoot = (leafHashes: Iterable<Uint8Array>): Uint8Array =>
  toFrontierRoot(extendFrontier(EMPTY_FRONTIER, leafHashes));

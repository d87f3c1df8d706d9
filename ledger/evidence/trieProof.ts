// The value of a key under the root of a Merkle Patricia trie (Ethereum yellow paper, appendix D): the nodes of the
// path, from the root on. Proves inclusion only.
import { keccak256 } from '../encoding/keccak.ts';
import { isSameBytes } from './bytes.ts';
import { decodeRlp, encodeRlp, isRlpBytes, isRlpList, type RlpItem } from './rlp.ts';
import { assertReadable } from './unreadableEvidence.ts';

const NODES_MAX = 64;
const KEY_BYTES_MAX = 32;
const REFERENCE_BYTES = 32;
const BRANCH_ITEMS = 17;
const VALUE_AT = 16;

/** Returns the encoding of the node with this keccak-256 hash; undefined when there is none. */
export type ResolveNode = (hash: Uint8Array) => Uint8Array | undefined;

/** The place in a trie where a search continues: a reference, and the digits of the key that are left. */
interface Step {
  readonly reference: RlpItem;
  readonly digits: readonly number[];
}

/** The hexadecimal digits of a key, as numbers. */
export const toDigits = (key: Uint8Array): number[] => [...key].flatMap((byte) => [byte >> 4, byte & 0x0f]);

// The digits of a leaf's or an extension's path, after a digit that says whether it is a leaf (2) and whether the
// number of digits is odd (1).
const decodePath = (path: RlpItem | undefined): { isLeaf: boolean; digits: number[] } => {
  assertReadable(isRlpBytes(path) && path.length > 0, 'a node of a trie without a path');
  const [flag, first, ...digits] = toDigits(path);
  const isOdd = flag! % 2 === 1;
  assertReadable(flag! < 4 && (isOdd || first === 0), 'a path of a trie with an invalid prefix');
  return { isLeaf: flag! >= 2, digits: isOdd ? [first!, ...digits] : digits };
};

const toValue = (item: RlpItem | undefined): Uint8Array | undefined => {
  assertReadable(isRlpBytes(item), 'a value of a trie that is no byte string');
  return item.length === 0 ? undefined : item;
};

const followBranch = (node: readonly RlpItem[], digits: readonly number[]): Step | Uint8Array | undefined => {
  const [digit, ...rest] = digits;
  return digit === undefined ? toValue(node[VALUE_AT]) : { reference: node[digit]!, digits: rest };
};

const followPath = ([path, child]: readonly RlpItem[], digits: readonly number[]): Step | Uint8Array | undefined => {
  const { isLeaf, digits: own } = decodePath(path);
  if (!own.every((digit, at) => digit === digits[at])) return undefined;
  const rest = digits.slice(own.length);
  if (isLeaf) return rest.length === 0 ? toValue(child) : undefined;
  assertReadable(own.length > 0, 'an extension of a trie without digits');
  return { reference: child!, digits: rest };
};

const follow = (node: RlpItem, digits: readonly number[]): Step | Uint8Array | undefined => {
  assertReadable(isRlpList(node), 'a node of a trie that is no list');
  if (node.length === BRANCH_ITEMS) return followBranch(node, digits);
  assertReadable(node.length === 2, 'a node of a trie with a wrong number of items');
  return followPath(node, digits);
};

// A node whose encoding is shorter than a hash is in its parent, every other is named by its hash.
const resolve = (reference: RlpItem, resolveNode: ResolveNode, isRoot: boolean): RlpItem | undefined => {
  if (isRlpList(reference)) {
    assertReadable(encodeRlp(reference).length < REFERENCE_BYTES, 'an embedded node of a trie that is too long');
    return reference;
  }
  if (reference.length === 0) return undefined;
  assertReadable(reference.length === REFERENCE_BYTES, 'a reference in a trie that is no hash');
  const encoded = resolveNode(reference);
  if (encoded === undefined) return undefined;
  assertReadable(isRoot || encoded.length >= REFERENCE_BYTES, 'a node of a trie that is too short for a hash');
  return decodeRlp(encoded);
};

/**
 * The value of a key, read from the root down; undefined when the trie doesn't have it, or a node is missing.
 * @throws UnreadableEvidence for a node that isn't one of a trie.
 */
export const findInTrie = (root: Uint8Array, key: Uint8Array, resolveNode: ResolveNode): Uint8Array | undefined => {
  assertReadable(root.length === REFERENCE_BYTES && key.length <= KEY_BYTES_MAX, 'not a root and a key of a trie');
  let found: Step | Uint8Array | undefined = { reference: root, digits: toDigits(key) };
  let isRoot = true;
  while (found !== undefined && !(found instanceof Uint8Array)) {
    const node = resolve(found.reference, resolveNode, isRoot);
    found = node && follow(node, found.digits);
    isRoot = false;
  }
  return found;
};

/**
 * The value of a key that a proof shows; undefined when it shows none.
 * @param nodes the path's nodes that have a hash, from the root on, each of them exactly once, and no other.
 * @throws UnreadableEvidence for more than 64 nodes, or one that isn't one of a trie.
 */
export const findProvenValue = (
  root: Uint8Array,
  key: Uint8Array,
  nodes: readonly Uint8Array[],
): Uint8Array | undefined => {
  assertReadable(nodes.length <= NODES_MAX, 'a proof of more than 64 nodes');
  let used = 0;
  const value = findInTrie(root, key, (hash) => {
    const node = nodes[used];
    used += 1;
    return node !== undefined && isSameBytes(keccak256(node), hash) ? node : undefined;
  });
  return used === nodes.length ? value : undefined;
};

// The Merkle Patricia trie of a list, as a block header has it for transactions and receipts: the keys are the RLP of
// the indexes from 0 on. Builds the root to compare with, and the proof of each item.
import { finish, mapInSteps, STEP_ITEMS, type Steps } from '../compliance/steps.ts';
import { toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';
import { encodeRlp, type RlpItem, toRlpNumber } from './rlp.ts';
import { findInTrie, toDigits } from './trieProof.ts';

const EMPTY = new Uint8Array();
const REFERENCE_BYTES = 32;

/** A trie over the items of a list. */
export interface ListTrie {
  readonly root: Uint8Array;
  /** The nodes that prove the item at an index, from the root on, as `findProvenValue` reads them. */
  prove(index: number): Uint8Array[];
}

interface Entry {
  readonly digits: readonly number[];
  readonly value: Uint8Array;
}

/** Keeps a node by its hash. */
type Keep = (encoded: Uint8Array) => Uint8Array;

/**
 * Key of the item at an index.
 * @throws UnreadableEvidence unless it is an integer from 0 to 2^53 - 1.
 */
export const toListKey = (index: number): Uint8Array => encodeRlp(toRlpNumber(index));

const encodePath = (digits: readonly number[], isLeaf: boolean): Uint8Array => {
  const flag = isLeaf ? 2 : 0;
  const all = digits.length % 2 === 1 ? [flag + 1, ...digits] : [flag, 0, ...digits];
  return Uint8Array.from({ length: all.length / 2 }, (_, at) => all[2 * at]! * 16 + all[2 * at + 1]!);
};

const toReference = (node: RlpItem, keep: Keep): RlpItem => {
  const encoded = encodeRlp(node);
  return encoded.length < REFERENCE_BYTES ? node : keep(encoded);
};

// Index of the first digit in which entries differ. No key of a list is the beginning of another.
const findFork = (entries: readonly Entry[], from: number): number => {
  const [first] = entries;
  let at = from;
  while (entries.every(({ digits }) => digits[at] === first!.digits[at])) at += 1;
  return at;
};

function* groupByDigit(entries: readonly Entry[], at: number): Steps<Map<number, Entry[]>> {
  const groups = new Map<number, Entry[]>();
  for (const [index, entry] of entries.entries()) {
    const digit = entry.digits[at]!;
    const group = groups.get(digit);
    if (group === undefined) groups.set(digit, [entry]);
    else group.push(entry);
    if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
  }
  return groups;
}

function* toBranch(entries: readonly Entry[], at: number, keep: Keep): Steps<RlpItem> {
  const groups = yield* groupByDigit(entries, at);
  const children: RlpItem[] = Array(16).fill(EMPTY);
  for (const [digit, group] of groups) children[digit] = toReference(yield* toNode(group, at + 1, keep), keep);
  return [...children, EMPTY];
}

function* toNode(entries: readonly Entry[], from: number, keep: Keep): Steps<RlpItem> {
  yield;
  const { digits, value } = entries[0]!;
  if (entries.length === 1) return [encodePath(digits.slice(from), true), value];
  const fork = findFork(entries, from);
  const branch = yield* toBranch(entries, fork, keep);
  return fork === from ? branch : [encodePath(digits.slice(from, fork), false), toReference(branch, keep)];
}

/** As `buildListTrie`, in steps. */
export function* buildListTrieInSteps(items: readonly Uint8Array[]): Steps<ListTrie> {
  const nodes = new Map<string, Uint8Array>();
  const keep: Keep = (encoded) => {
    const hash = keccak256(encoded);
    nodes.set(toHex(hash), encoded);
    return hash;
  };
  const entries = yield* mapInSteps(items, (value, index) => ({ digits: toDigits(toListKey(index)), value }));
  const root = keep(encodeRlp(entries.length === 0 ? EMPTY : yield* toNode(entries, 0, keep)));
  const prove = (index: number): Uint8Array[] => {
    const path: Uint8Array[] = [];
    findInTrie(root, toListKey(index), (hash) => {
      const node = nodes.get(toHex(hash));
      if (node !== undefined) path.push(node);
      return node;
    });
    return path;
  };
  return { root, prove };
}

/** The trie of a list of items, none of which is empty. */
export const buildListTrie = (items: readonly Uint8Array[]): ListTrie => finish(buildListTrieInSteps(items));

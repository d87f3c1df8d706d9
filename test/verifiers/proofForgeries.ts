// Forgeries of proofs: logs of other places and contracts, receipts of failed transactions, trees and tries with other
// nodes. For receipts, the forger has a block that the caller noted.
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '../../ledger/evidence/rlp.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import { receiptOf, withReceipt } from './encodingChanges.ts';
import { both, type Forge, type Forgery, put, take } from './forge.ts';

const LOGGED = 'event in its log';
const LEAF = 'event in the tree';
const ZEROS = toBase64(new Uint8Array(32));

const changeList =
  (proof: number, name: 'nodes' | 'path', change: (list: string[]) => Json): Forge =>
  (original, known) => {
    const proofs = original.file.proofs as EvidenceFile[];
    return put(`proofs/${proof}/${name}`, change(proofs[proof]![name] as string[]))(original, known);
  };

const nodes = (change: (list: string[]) => Json): Forge => changeList(0, 'nodes', change);
const path = (change: (list: string[]) => Json): Forge => changeList(1, 'path', change);

const flip = (text: string, at: number): string => {
  const bytes = fromBase64(text);
  return toBase64(bytes.with(at, bytes[at]! ^ 1));
};

type Items = RlpItem[];
type Log = [address: Uint8Array, topics: Uint8Array[], data: Uint8Array];

const receipt =
  (change: (items: [Uint8Array, Uint8Array, Uint8Array, Log[]]) => RlpItem): Forge =>
  ({ file }) => {
    const bytes = receiptOf(file);
    const typed = bytes[0]! < 0xc0 ? 1 : 0;
    const items = decodeRlp(bytes.subarray(typed)) as unknown as [Uint8Array, Uint8Array, Uint8Array, Log[]];
    return withReceipt(file, concatBytes([bytes.subarray(0, typed), encodeRlp(change(items))]))!;
  };

// The log that the file proves is the first or second one of its receipt.
const logs = (change: (log: Log) => RlpItem): Forge =>
  receipt(([status, gas, bloom, all]) => [status, gas, bloom, all.map((log) => change(log)) as Items]);

const data = (change: (bytes: Uint8Array) => Uint8Array): Forge =>
  logs(([address, topics, bytes]) => [address, topics, change(bytes)]);

/** Of receipts, in a block that the caller noted. */
const RECEIPTS: Readonly<Record<string, Forgery>> = {
  'a log of a failed transaction': [LOGGED, receipt(([, ...rest]) => [new Uint8Array(), ...rest] as Items)],
  'a log of a transaction with status 2': [LOGGED, receipt(([, ...rest]) => [Uint8Array.of(2), ...rest] as Items)],
  'a receipt with a state root': [LOGGED, receipt(([, ...rest]) => [new Uint8Array(32).fill(1), ...rest] as Items)],
  'a receipt with a further item': [LOGGED, receipt((items) => [...items, new Uint8Array()] as Items)],
  'a receipt without its bloom': [LOGGED, receipt(([status, gas, , all]) => [status, gas, all] as Items)],
  'a receipt with a short bloom': [
    LEAF,
    receipt(([status, gas, bloom, all]) => [status, gas, bloom.subarray(1), all] as Items),
  ],
  'a receipt without logs': [LOGGED, receipt(([status, gas, bloom]) => [status, gas, bloom, []])],
  'a log of another contract': [LOGGED, logs(([, topics, bytes]) => [new Uint8Array(20).fill(1), topics, bytes])],
  'an attestation of another contract': [LEAF, logs(([, topics, bytes]) => [new Uint8Array(20), topics, bytes])],
  'a log of another event': [
    LOGGED,
    logs(([address, [, ...topics], bytes]) => [address, [new Uint8Array(32), ...topics], bytes]),
  ],
  'a log without topics': [LOGGED, logs(([address, , bytes]) => [address, [], bytes])],
  'a log with a further topic': [
    LEAF,
    logs(([address, topics, bytes]) => [address, [...topics, new Uint8Array(32)], bytes]),
  ],
  'a log of another tenant': [
    LOGGED,
    logs(([address, topics, bytes]) => [address, topics.with(1, new Uint8Array(32)), bytes]),
  ],
  'a log with another digest': [LOGGED, data((bytes) => bytes.with(64, bytes[64]! ^ 1))],
  'a log with a padded author': [LOGGED, data((bytes) => bytes.with(0, 1))],
  'a log with a padded sequence': [LOGGED, data((bytes) => bytes.with(32, 1))],
  'a log with a padded head': [LOGGED, data((bytes) => bytes.with(127, 1))],
  'a log with its payload elsewhere': [LOGGED, data((bytes) => bytes.with(159, 0xc0))],
  'a log with a longer payload': [LOGGED, data((bytes) => concatBytes([bytes, new Uint8Array(32)]))],
  'a log with a payload that ends early': [LOGGED, data((bytes) => bytes.subarray(0, -32))],
  'a log of words only': [LOGGED, data((bytes) => bytes.subarray(0, 160))],
  'a tree with another root': [LEAF, data((bytes) => bytes.with(40, bytes[40]! ^ 1))],
  'a tree of another size': [LEAF, data((bytes) => bytes.with(30, 1))],
  'a tree of 2^63 records': [LEAF, data((bytes) => bytes.with(24, 0x80))],
  'a head that continues': ['history', data((bytes) => bytes.with(10, bytes[10]! ^ 1))],
  'a stream with more records': ['history', data((bytes) => bytes.with(63, bytes[63]! + 1))],
  'an absence of one record': ['absence of a record', data((bytes) => bytes.with(63, 1))],
};

/** Of places in tries and trees. */
const PLACES: Readonly<Record<string, Forgery>> = {
  'another log of the receipt': ['history', put('proofs/0/log', 0)],
  'a log beyond the receipt': [LOGGED, put('proofs/0/log', 9)],
  'a log before the first': [LOGGED, put('proofs/0/log', -1)],
  'another transaction': [LOGGED, put('proofs/0/transaction', 5)],
  'a transaction beyond every trie': [LEAF, put('proofs/0/transaction', 2 ** 53 - 1)],
  'a block that the file lacks': [LEAF, put('proofs/0/block', 1)],
  'no node': [LOGGED, nodes(() => [])],
  'a node twice': [LOGGED, nodes((list) => [...list, list.at(-1)!])],
  'a node of no use': [LOGGED, nodes((list) => [...list, ZEROS])],
  'a changed node': [LEAF, nodes((list) => list.with(-1, flip(list.at(-1)!, 80)))],
  'sixty-five nodes': [LEAF, nodes((list) => new Array(65).fill(list[0]!))],
  'the nodes of another receipt': [
    LOGGED,
    (original, known) => {
      const [{ nodes: other }] = known('history').file.proofs as [EvidenceFile];
      return put('proofs/0/nodes', other!)(original, known);
    },
  ],
  'another index in the tree': [
    LEAF,
    (original, known) => {
      const [, { index }] = original.file.proofs as [EvidenceFile, EvidenceFile];
      return put('proofs/1/index', Number(index) - 1)(original, known);
    },
  ],
  'an index beyond the tree': [LEAF, put('proofs/1/index', 1_000)],
  'a short path': [LEAF, path((list) => list.slice(0, -1))],
  'a long path': [LEAF, path((list) => [...list, ZEROS])],
  'a path in another order': [LEAF, path((list) => list.toReversed())],
  'an empty path': [LEAF, path(() => [])],
  'a path of sixty-five': [LEAF, path(() => new Array(65).fill(ZEROS))],
  'a path of short hashes': [LEAF, path((list) => list.with(0, toBase64(new Uint8Array(31))))],
  'another sequence': [LEAF, put('proofs/1/sequence', 1)],
  'a sequence of more than four bytes': [LEAF, put('proofs/1/sequence', 2 ** 32 + 3)],
  'another head': [LEAF, put('proofs/1/head', `0x${'00'.repeat(28)}`)],
  'a leaf that names itself as root': [LEAF, put('proofs/1/root', 1)],
  'a leaf without a log': [
    LEAF,
    (original, known) => put('proofs', [(original.file.proofs as Json[])[1]!])(original, known),
  ],
  'a log of a record as a tree': [LEAF, take(LOGGED, 'blocks')],
  'an attestation as the log of a record': [
    LOGGED,
    both(take(LEAF, 'blocks'), (original, known) =>
      put('proofs', [(known(LEAF).file.proofs as Json[])[0]!])(original, known),
    ),
  ],
  'a range with its leaves exchanged': [
    'range',
    (original, known) => {
      const bytes = fromBase64(original.file.leaves as string);
      return put('leaves', toBase64(concatBytes([bytes.subarray(80), bytes.subarray(0, 80)])))(original, known);
    },
  ],
  'a leaf of another record': [
    'range',
    (original, known) => put('leaves', flip(original.file.leaves as string, 20))(original, known),
  ],
};

export const PROOF_FORGERIES: Readonly<Record<string, Forgery>> = { ...RECEIPTS, ...PLACES };

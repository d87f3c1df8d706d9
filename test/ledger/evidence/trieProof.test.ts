import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { buildListTrie, toListKey } from '../../../ledger/evidence/listTrie.ts';
import { encodeRlp, type RlpItem } from '../../../ledger/evidence/rlp.ts';
import { findInTrie, findProvenValue } from '../../../ledger/evidence/trieProof.ts';
import { hashOfAll } from '../../support/merkleTrees.ts';
import { runs } from '../../support/propertyRuns.ts';
import { listItem, readTrieVectors } from '../../support/receiptTries.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { blocks, lists, maps } = readTrieVectors();
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const toBytes = (hashes: readonly string[]): Uint8Array[] => hashes.map((hash) => new Uint8Array(fromHex(hash)));
const itemsOf = (count: number): Uint8Array[] => Array.from({ length: count }, (_, at) => listItem(at));
const upTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at);

describe('the trie of a list', () => {
  it('has the root and the proofs that another program computes', () => {
    for (const { count, root, proofs } of lists) {
      const trie = buildListTrie(itemsOf(count));
      expect(toHex(trie.root), `${count}`).to.equal(root);
      expect(hashOfAll(upTo(count).flatMap((index) => trie.prove(index)))).to.equal(proofs);
    }
    expect(lists.at(-1)?.count).to.equal(300);
  });

  it('proves each of its items, and no other index', () => {
    const arbitrary = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 150 });
    const check = fc.property(arbitrary, fc.nat(), (items, at) => {
      const trie = buildListTrie(items);
      const index = at % items.length;
      const proof = trie.prove(index);
      expect(findProvenValue(trie.root, toListKey(index), proof)).to.deep.equal(items[index]);
      expect(findProvenValue(trie.root, toListKey(items.length), trie.prove(items.length))).to.equal(undefined);
      expect(findProvenValue(trie.root, toListKey(index), [...proof, proof.at(-1)!]), 'unused').to.equal(undefined);
      expect(findProvenValue(trie.root, toListKey(index), proof.slice(0, -1)), 'missing').to.equal(undefined);
      if (proof.length > 1) {
        expect(findProvenValue(trie.root, toListKey(index), proof.toReversed()), 'order').to.equal(undefined);
      }
    });
    fc.assert(check, runs(60));
  });
});

describe('the key of an item of a list', () => {
  it('is unreadable for what is no index, instead of being that of another item', () => {
    for (const index of [-1, -0.5, 0.5, Number.NaN, 2 ** 53]) {
      expect(
        isUnreadable(() => toListKey(index)),
        `${index}`,
      ).to.equal(true);
    }
    expect([0, 127, 128, 65_536].map((index) => toHex(toListKey(index)))).to.deep.equal([
      '0x80',
      '0x7f',
      '0x8180',
      '0x83010000',
    ]);
  });
});

describe('the receipts of a recorded block', () => {
  for (const { chain, number, receipts_root, receipts, nodes, proofs } of blocks) {
    it(`have the root of its header, and proofs that another program computes: block ${number} of ${chain}`, () => {
      const encoded = receipts.map((receipt) => new Uint8Array(fromHex(receipt.encoded)));
      const trie = buildListTrie(encoded);
      expect(toHex(trie.root)).to.equal(receipts_root);
      for (const [index, path] of proofs.entries()) {
        const proof = path.map((at) => nodes[at]!);
        expect(trie.prove(index).map(toHex)).to.deep.equal(proof);
        expect(findProvenValue(fromHex(receipts_root), toListKey(index), toBytes(proof))).to.deep.equal(encoded[index]);
      }
    });
  }
});

describe('a proof in a trie', () => {
  for (const { root, entries } of maps) {
    const keys = entries.map(({ key }) => key).join(', ');

    it(`of another program shows the value of its key alone, with the keys ${keys}`, () => {
      for (const { key, value, nodes } of entries) {
        const proof = toBytes(nodes);
        expect(findProvenValue(fromHex(root), ascii(key), proof)).to.deep.equal(ascii(value));
        for (const other of [...entries.map((entry) => entry.key), '', 'x', `${key}x`, key.slice(1)]) {
          // Keys of one node, embedded or not, have the same proof.
          const found = findProvenValue(fromHex(root), ascii(other), proof);
          const expected = entries.find((entry) => entry.key === other && `${entry.nodes}` === `${nodes}`);
          expect(found, other).to.deep.equal(expected && ascii(expected.value));
        }
      }
    });

    it(`fails with any bit changed, with the keys ${keys}`, () => {
      const proofs = entries.map(({ key, nodes }) => ({ key, nodes: toBytes(nodes) }));
      const check = fc.property(fc.nat(), fc.nat(), fc.nat(), fc.nat(7), (which, at, byte, bit) => {
        const { key, nodes } = proofs[which % proofs.length]!;
        const changed = nodes.map((node) => node.slice());
        const node = changed[at % changed.length]!;
        node[byte % node.length]! ^= 1 << bit;
        expect(findProvenValue(fromHex(root), ascii(key), changed)).to.equal(undefined);
      });
      fc.assert(check);
    });
  }

  // A trie of one node, or of two of which the first refers to the second.
  const search = (node: RlpItem, key = '0x1234', child?: Uint8Array): Uint8Array | undefined => {
    const encoded = encodeRlp(node);
    return findProvenValue(keccak256(encoded), fromHex(key), child === undefined ? [encoded] : [encoded, child]);
  };
  const value = ascii('a value');
  const path = (hex: string): Uint8Array => fromHex(hex);
  const branch = (children: Readonly<Record<number, RlpItem>>): RlpItem[] =>
    Array.from({ length: 17 }, (_, at) => children[at] ?? new Uint8Array());

  it('may have embedded nodes', () => {
    const leaf = [path('0x34'), value];
    expect(search([path('0x1112'), branch({ 3: leaf })])).to.equal(undefined);
    expect(search([path('0x0012'), branch({ 3: [path('0x34'), value] })])).to.deep.equal(value);
    expect(search([path('0x0012'), branch({ 3: [path('0x35'), value] })])).to.equal(undefined);
  });

  it('is unreadable with a node that no trie has', () => {
    const nodes: readonly [string, RlpItem][] = [
      ['no list', value],
      ['a byte string as long as a branch has items', new Uint8Array(17)],
      ['a byte string as long as a leaf has items', new Uint8Array(2)],
      ['an empty list', []],
      ['one item', [path('0x201234')]],
      ['three items', [path('0x201234'), value, value]],
      ['a path that is a list', [[value], value]],
      ['a path without bytes', [path('0x'), value]],
      ['a path of an unknown kind', [path('0x401234'), value]],
      ['padding in a path', [path('0x2f1234'), value]],
      ['an extension without digits', [path('0x00'), branch({})]],
      ['a value that is a list', [path('0x201234'), [value]]],
      ['a reference that is no hash', branch({ 1: value })],
      ['an embedded node that is too long', branch({ 1: [path('0x3234'), new Uint8Array(40)] })],
    ];
    for (const [name, node] of nodes)
      expect(
        isUnreadable(() => search(node)),
        name,
      ).to.equal(true);
    const short = encodeRlp([path('0x3234'), value]);
    expect(
      isUnreadable(() => search(branch({ 1: keccak256(short) }), '0x1234', short)),
      'short',
    ).to.equal(true);
  });

  it('shows nothing for an empty value, an empty place or a key that ends early', () => {
    expect(search([path('0x201234'), new Uint8Array()])).to.equal(undefined);
    expect(search(branch({}))).to.equal(undefined);
    expect(search(branch({ 1: [path('0x323456'), value] }))).to.equal(undefined);
    expect(search(branch({ 16: value }), '0x')).to.deep.equal(value);
  });

  it('ends when nodes refer to each other without end', () => {
    const encoded = encodeRlp(branch({ 1: new Uint8Array(32).fill(7) }));
    let reads = 0;
    const loop = findInTrie(new Uint8Array(32), fromHex(`0x${'11'.repeat(32)}`), () => {
      reads += 1;
      return encoded;
    });
    expect(loop).to.equal(undefined);
    expect(reads).to.equal(65);
  });

  it('is unreadable with more than 64 nodes, a long key, or a short root', () => {
    const root = new Uint8Array(32);
    const node = encodeRlp(branch({}));
    expect(findProvenValue(root, root, new Array(64).fill(node))).to.equal(undefined);
    expect(isUnreadable(() => findProvenValue(root, root, new Array(65).fill(node)))).to.equal(true);
    expect(isUnreadable(() => findProvenValue(root, new Uint8Array(33), [node]))).to.equal(true);
    expect(isUnreadable(() => findProvenValue(root.subarray(1), root, [node]))).to.equal(true);
  });
});

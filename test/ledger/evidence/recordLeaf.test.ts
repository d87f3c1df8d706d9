import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../../ledger/evidence/merkleTree.ts';
import { decodeRecordLeaf, encodeRecordLeaf, type RecordLeaf } from '../../../ledger/evidence/recordLeaf.ts';
import { isUnreadable } from '../../support/unreadable.ts';

interface BlockVector {
  readonly number: number;
  readonly time: number;
  readonly records: readonly {
    readonly digest: Hex;
    readonly head: Hex;
    readonly sequence: number;
    readonly leaf_hash: Hex;
    readonly root: Hex;
  }[];
}

// The vectors that the contract meets.
const { blocks } = JSON.parse(readFileSync(new URL('../../vectors/trees.json', import.meta.url), 'utf8')) as {
  readonly blocks: readonly BlockVector[];
};

const leaf: RecordLeaf = {
  digest: new Uint8Array(32).fill(0xd1),
  head: new Uint8Array(28).fill(0x4e),
  sequence: 0x01020304,
  blockNumber: 0x05060708090a,
  blockTimeSeconds: 1767225600,
};

describe('the leaf of a record', () => {
  it('is digest, head, sequence, block number and block time, big-endian', () => {
    const expected = `0x${'d1'.repeat(32)}${'4e'.repeat(28)}01020304000005060708090a000000006955b900`;
    expect(toHex(encodeRecordLeaf(leaf))).to.equal(expected);
    const prefixed = Buffer.from(`00${expected.slice(2)}`, 'hex');
    expect(Buffer.from(hashLeaf(encodeRecordLeaf(leaf)))).to.deep.equal(createHash('sha256').update(prefixed).digest());
  });

  it('has the hash that the contract computes, and so has the root', () => {
    let tree = EMPTY_FRONTIER;
    for (const { number, time, records } of blocks) {
      for (const { digest, head, sequence, leaf_hash, root } of records) {
        const parts = { digest: fromHex(digest), head: fromHex(head), sequence };
        const hash = hashLeaf(encodeRecordLeaf({ ...parts, blockNumber: number, blockTimeSeconds: time }));
        expect(toHex(hash)).to.equal(leaf_hash);
        tree = extendFrontier(tree, [hash]);
        expect(toHex(toFrontierRoot(tree))).to.equal(root);
      }
    }
    expect(tree.size).to.equal(20);
  });

  it('decodes to what it was encoded from', () => {
    const parts = fc.record({
      digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      head: fc.uint8Array({ minLength: 28, maxLength: 28 }),
      sequence: fc.integer({ min: 0, max: 0xffff_ffff }),
      blockNumber: fc.maxSafeNat(),
      blockTimeSeconds: fc.maxSafeNat(),
    });
    const check = fc.property(parts, (value) => {
      expect(decodeRecordLeaf(encodeRecordLeaf(value))).to.deep.equal(value);
    });
    fc.assert(check);
  });

  it('has numbers from 0 to the largest', () => {
    for (const numbers of [
      { sequence: 0, blockNumber: 0, blockTimeSeconds: 0 },
      { sequence: 2 ** 32 - 1, blockNumber: 2 ** 53 - 1, blockTimeSeconds: 2 ** 53 - 1 },
    ]) {
      expect(decodeRecordLeaf(encodeRecordLeaf({ ...leaf, ...numbers }))).to.deep.include(numbers);
    }
  });

  it('is unreadable with another length, or with a number beyond the safe ones', () => {
    const bytes = encodeRecordLeaf(leaf);
    expect(isUnreadable(() => decodeRecordLeaf(bytes.subarray(1)))).to.equal(true);
    expect(isUnreadable(() => decodeRecordLeaf(Uint8Array.of(...bytes, 0)))).to.equal(true);
    for (const at of [64, 72]) {
      const beyond = bytes.slice();
      beyond[at + 1] = 0x20;
      expect(
        isUnreadable(() => decodeRecordLeaf(beyond)),
        `${at}`,
      ).to.equal(true);
    }
  });

  it('has no encoding of parts outside of their ranges', () => {
    const wrong: Partial<RecordLeaf>[] = [
      { digest: new Uint8Array(31) },
      { head: new Uint8Array(32) },
      { sequence: 2 ** 32 },
      { sequence: -1 },
      { blockNumber: 2 ** 53 },
      { blockTimeSeconds: 0.5 },
    ];
    for (const part of wrong) expect(isUnreadable(() => encodeRecordLeaf({ ...leaf, ...part }))).to.equal(true);
  });
});

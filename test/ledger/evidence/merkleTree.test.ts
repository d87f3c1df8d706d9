import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../ledger/encoding/hex.ts';
import {
  EMPTY_FRONTIER,
  EMPTY_ROOT,
  extendFrontier,
  hashLeaf,
  type NodePosition,
  toFrontierRoot,
  toPeakPositions,
  toRoot,
  toRootOfPeaks,
} from '../../../ledger/evidence/merkleTree.ts';
import { leafData, naiveRoot, readMerkleVectors } from '../../support/merkleTrees.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { small, large } = readMerkleVectors();
const leavesOf = (size: number): Uint8Array[] => Array.from({ length: size }, (_, at) => hashLeaf(leafData(at)));
const arbitraryLeaves = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 80 });
const nameOf = ({ level, index }: NodePosition): string => `${level}/${index}`;

describe('a Merkle tree', () => {
  it('has the roots that another program computes', () => {
    expect(small.map(({ size }) => toHex(toRoot(leavesOf(size))))).to.deep.equal(small.map(({ root }) => root));
    expect(small).to.have.length(71);
  });

  it('has the root that another program computes, with many leaves', () => {
    const { size, root } = large.consistencies[0]!.to;
    expect(size).to.equal(70003);
    expect(toHex(toRoot(leavesOf(size)))).to.equal(root);
  });

  it('has the root of the recursive definition', () => {
    const check = fc.property(arbitraryLeaves, (data) => {
      expect(toRoot(data.map((bytes) => hashLeaf(bytes)))).to.deep.equal(naiveRoot(data));
    });
    fc.assert(check);
  });

  it('without leaves has the hash of nothing as its root', () => {
    expect(toHex(EMPTY_ROOT)).to.equal('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(toFrontierRoot(EMPTY_FRONTIER)).to.deep.equal(EMPTY_ROOT);
  });

  it('grows to the same root, in whatever portions leaves arrive', () => {
    const check = fc.property(arbitraryLeaves, fc.nat(80), (data, cut) => {
      const hashes = data.map((bytes) => hashLeaf(bytes));
      const first = extendFrontier(EMPTY_FRONTIER, hashes.slice(0, cut));
      const rootOfFirst = toFrontierRoot(first);
      const all = extendFrontier(first, hashes.slice(cut));
      expect(all.size).to.equal(data.length);
      expect(toFrontierRoot(all)).to.deep.equal(naiveRoot(data));
      expect(toFrontierRoot(first), 'the earlier frontier is unchanged').to.deep.equal(rootOfFirst);
    });
    fc.assert(check);
  });

  it('reports each complete subtree once, with its root', () => {
    const check = fc.property(arbitraryLeaves, (data) => {
      const found = new Map<string, Uint8Array>();
      const hashes = data.map((bytes) => hashLeaf(bytes));
      const { size } = extendFrontier(EMPTY_FRONTIER, hashes, (position, hash) => {
        expect(found.has(nameOf(position))).to.equal(false);
        found.set(nameOf(position), hash);
        const start = position.index * 2 ** position.level;
        expect(hash).to.deep.equal(naiveRoot(data.slice(start, start + 2 ** position.level)));
      });
      const expected = Array.from({ length: 7 }, (_, level) => Math.floor(size / 2 ** level));
      expect(found.size).to.equal(expected.reduce((sum, count) => sum + count, 0));
      const peaks = toPeakPositions(size).map((position) => found.get(nameOf(position))!);
      expect(toRootOfPeaks(peaks)).to.deep.equal(naiveRoot(data));
    });
    fc.assert(check);
  });

  it('has no more than 2^53 - 1 leaves', () => {
    const peaks = Array.from({ length: 53 }, () => EMPTY_ROOT);
    const full = { size: Number.MAX_SAFE_INTEGER, peaks };
    expect(isUnreadable(() => extendFrontier(full, [EMPTY_ROOT]))).to.equal(true);
    expect(toPeakPositions(full.size).map(({ level }) => level)).to.deep.equal(peaks.map((_, at) => 52 - at));
  });
});

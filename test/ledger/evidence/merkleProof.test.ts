import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import {
  isConsistent,
  isIncluded,
  planConsistency,
  planInclusion,
  toProof,
} from '../../../ledger/evidence/merkleProof.ts';
import {
  EMPTY_FRONTIER,
  EMPTY_ROOT,
  extendFrontier,
  hashLeaf,
  hashNode,
  type NodePosition,
} from '../../../ledger/evidence/merkleTree.ts';
import {
  type ConsistencyVector,
  hashOfAll,
  type InclusionVector,
  leafData,
  naiveConsistency,
  naivePath,
  naiveRoot,
  readMerkleVectors,
} from '../../support/merkleTrees.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { small, large, huge } = readMerkleVectors();

type HashOf = (position: NodePosition) => Uint8Array;

const storeNodes = (data: readonly Uint8Array[]): HashOf => {
  const nodes = new Map<string, Uint8Array>();
  const leaves = data.map((bytes) => hashLeaf(bytes));
  extendFrontier(EMPTY_FRONTIER, leaves, ({ level, index }, hash) => nodes.set(`${level}/${index}`, hash));
  return ({ level, index }) => nodes.get(`${level}/${index}`)!;
};

const dataOf = (size: number): Uint8Array[] => Array.from({ length: size }, (_, at) => leafData(at));

const equalLevels = [hashLeaf(fromHex(huge.leaf_data))];
for (let level = 0; level < 53; level += 1) equalLevels.push(hashNode(equalLevels[level]!, equalLevels[level]!));

const toBytes = (hashes: readonly string[]): Uint8Array[] => hashes.map((hash) => new Uint8Array(fromHex(hash)));
const toHead = ({ size, root }: { size: number; root: string }) => ({ size, root: new Uint8Array(fromHex(root)) });
const flipBit = (bytes: Uint8Array): Uint8Array => Uint8Array.of(bytes[0]! ^ 0x10, ...bytes.subarray(1));

const sources: readonly [string, () => HashOf, readonly InclusionVector[], readonly ConsistencyVector[]][] = [
  ['of 70,003 leaves', () => storeNodes(dataOf(70_003)), large.inclusions, large.consistencies],
  [
    'of up to 2^53 - 1 leaves',
    () =>
      ({ level }) =>
        equalLevels[level]!,
    huge.inclusions,
    huge.consistencies,
  ],
];

for (const [name, toHashOf, inclusions, consistencies] of sources) {
  describe(`a proof ${name}`, () => {
    let hashOf: HashOf;
    before(() => {
      hashOf = toHashOf();
    });

    it('of inclusion equals that of another program', () => {
      for (const { size, index, root, path } of inclusions) {
        const proof = toProof(planInclusion(index, size), hashOf);
        expect(proof.map(toHex)).to.deep.equal(path);
        const leaf = { index, hash: hashOf({ level: 0, index }) };
        expect(isIncluded(leaf, toBytes(path), toHead({ size, root }))).to.equal(true);
      }
    });

    it('of consistency equals that of another program', () => {
      for (const { from, to, proof } of consistencies) {
        expect(toProof(planConsistency(from.size, to.size), hashOf).map(toHex)).to.deep.equal(proof);
        expect(isConsistent(toHead(from), toHead(to), toBytes(proof))).to.equal(true);
        expect(isConsistent(toHead({ ...from, root: to.root }), toHead(to), toBytes(proof))).to.equal(false);
        expect(isConsistent(toHead(from), toHead({ ...to, root: from.root }), toBytes(proof))).to.equal(false);
      }
    });
  });
}

describe('the proofs of all trees of up to 70 leaves', () => {
  const hashOf = storeNodes(dataOf(70));
  const upTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at);

  it('equal those of another program', () => {
    for (const { size, inclusions, consistencies } of small) {
      const paths = upTo(size).flatMap((index) => toProof(planInclusion(index, size), hashOf));
      const proofs = upTo(size).flatMap((from) => toProof(planConsistency(from + 1, size), hashOf));
      expect(hashOfAll(paths), `inclusion, ${size}`).to.equal(inclusions);
      expect(hashOfAll(proofs), `consistency, ${size}`).to.equal(consistencies);
    }
  });

  it('hold for their own index and sizes only', () => {
    const heads = small.map(toHead);
    for (const size of [1, 2, 3, 7, 8, 13, 33, 70]) {
      for (const index of upTo(size)) {
        const path = toProof(planInclusion(index, size), hashOf);
        const hash = hashOf({ level: 0, index });
        const accepted = upTo(size).filter((other) => isIncluded({ index: other, hash }, path, heads[size]!));
        expect(accepted).to.deep.equal([index]);
        const proof = toProof(planConsistency(index, size), hashOf);
        const consistent = upTo(size + 1).filter((from) => isConsistent(heads[from]!, heads[size]!, proof));
        // The empty tree and the tree itself need no proof, so an empty proof shows both.
        expect(consistent).to.include(index);
        expect(consistent.filter((from) => from !== index && from !== 0 && from !== size)).to.deep.equal([]);
      }
    }
  });
});

describe('a proof of inclusion', () => {
  const trees = fc
    .array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 80 })
    .chain((data) => fc.tuple(fc.constant(data), fc.nat(data.length - 1)));

  it('is that of the recursive definition', () => {
    const check = fc.property(trees, ([data, index]) => {
      const path = toProof(planInclusion(index, data.length), storeNodes(data));
      expect(path).to.deep.equal(naivePath(index, data));
      const tree = { size: data.length, root: naiveRoot(data) };
      expect(isIncluded({ index, hash: hashLeaf(data[index]!) }, path, tree)).to.equal(true);
    });
    fc.assert(check);
  });

  it('fails with any other hash, length or leaf', () => {
    const check = fc.property(trees, fc.nat(), ([data, index], at) => {
      const path = naivePath(index, data);
      const tree = { size: data.length, root: naiveRoot(data) };
      const leaf = { index, hash: hashLeaf(data[index]!) };
      const changed = path.map((hash, place) => (place === at % path.length ? flipBit(hash) : hash));
      if (path.length > 0) expect(isIncluded(leaf, changed, tree)).to.equal(false);
      if (path.length > 0) expect(isIncluded(leaf, path.slice(1), tree)).to.equal(false);
      if (path.length > 0) expect(isIncluded(leaf, path.slice(0, -1), tree)).to.equal(false);
      expect(isIncluded(leaf, [...path, EMPTY_ROOT], tree)).to.equal(false);
      expect(isIncluded({ ...leaf, hash: flipBit(leaf.hash) }, path, tree)).to.equal(false);
      expect(isIncluded(leaf, path, { ...tree, root: flipBit(tree.root) })).to.equal(false);
    });
    fc.assert(check);
  });

  it('of another shape is unreadable', () => {
    const tree = { size: 2, root: EMPTY_ROOT };
    const leaf = { index: 0, hash: EMPTY_ROOT };
    for (const index of [-1, 2, 0.5, Number.NaN, 2 ** 53]) {
      expect(
        isUnreadable(() => isIncluded({ ...leaf, index }, [EMPTY_ROOT], tree)),
        `${index}`,
      ).to.equal(true);
      expect(
        isUnreadable(() => planInclusion(index, 2)),
        `${index}`,
      ).to.equal(true);
    }
    for (const size of [0, -1, 1.5, 2 ** 53, Number.NaN]) {
      expect(
        isUnreadable(() => isIncluded(leaf, [], { ...tree, size })),
        `${size}`,
      ).to.equal(true);
    }
    const many = Array.from({ length: 65 }, () => EMPTY_ROOT);
    expect(isUnreadable(() => isIncluded(leaf, many, tree))).to.equal(true);
    expect(isUnreadable(() => isIncluded(leaf, [EMPTY_ROOT.subarray(1)], tree))).to.equal(true);
    expect(isUnreadable(() => isIncluded({ ...leaf, hash: new Uint8Array(33) }, [EMPTY_ROOT], tree))).to.equal(true);
    expect(isIncluded(leaf, many.slice(1), tree)).to.equal(false);
  });
});

describe('a proof of consistency', () => {
  const trees = fc
    .array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 80 })
    .chain((data) => fc.tuple(fc.constant(data), fc.integer({ min: 1, max: data.length })));
  const headOf = (data: readonly Uint8Array[]) => ({ size: data.length, root: naiveRoot(data) });

  it('is that of the recursive definition', () => {
    const check = fc.property(trees, ([data, from]) => {
      const proof = toProof(planConsistency(from, data.length), storeNodes(data));
      expect(proof).to.deep.equal(naiveConsistency(from, data));
      expect(isConsistent(headOf(data.slice(0, from)), headOf(data), proof)).to.equal(true);
    });
    fc.assert(check);
  });

  it('fails with any other hash, length or root', () => {
    const check = fc.property(trees, fc.nat(), ([data, from], at) => {
      const proof = naiveConsistency(from, data);
      const [older, newer] = [headOf(data.slice(0, from)), headOf(data)];
      const changed = proof.map((hash, place) => (place === at % proof.length ? flipBit(hash) : hash));
      if (proof.length > 0) expect(isConsistent(older, newer, changed)).to.equal(false);
      if (proof.length > 0) expect(isConsistent(older, newer, proof.slice(1))).to.equal(false);
      if (proof.length > 0) expect(isConsistent(older, newer, proof.slice(0, -1))).to.equal(false);
      expect(isConsistent(older, newer, [...proof, EMPTY_ROOT])).to.equal(false);
      expect(isConsistent({ ...older, root: flipBit(older.root) }, newer, proof)).to.equal(false);
      expect(isConsistent(older, { ...newer, root: flipBit(newer.root) }, proof)).to.equal(false);
    });
    fc.assert(check);
  });

  it('from the empty tree is empty', () => {
    const [empty, one] = [
      { size: 0, root: EMPTY_ROOT },
      { size: 1, root: hashLeaf() },
    ];
    expect(planConsistency(0, 1)).to.deep.equal([]);
    expect(isConsistent(empty, one, [])).to.equal(true);
    expect(isConsistent(empty, one, [EMPTY_ROOT])).to.equal(false);
    expect(isConsistent({ size: 0, root: one.root }, one, [])).to.equal(false);
    expect(isConsistent(empty, empty, [])).to.equal(true);
  });

  it('of another shape is unreadable', () => {
    const head = (size: number, root = EMPTY_ROOT) => ({ size, root });
    for (const [from, to] of [
      [2, 1],
      [-1, 1],
      [1, 2 ** 53],
      [0.5, 1],
    ] as const) {
      expect(
        isUnreadable(() => isConsistent(head(from), head(to), [])),
        `${from} ${to}`,
      ).to.equal(true);
      expect(
        isUnreadable(() => planConsistency(from, to)),
        `${from} ${to}`,
      ).to.equal(true);
    }
    const many = Array.from({ length: 65 }, () => EMPTY_ROOT);
    expect(isUnreadable(() => isConsistent(head(1), head(2), many))).to.equal(true);
    expect(isUnreadable(() => isConsistent(head(1), head(2, EMPTY_ROOT.subarray(1)), []))).to.equal(true);
    expect(isConsistent(head(1), head(2), many.slice(1))).to.equal(false);
    expect(isConsistent(head(1), head(2), [])).to.equal(false);
  });
});

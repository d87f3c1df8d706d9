import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { concatBytes } from '../../../ledger/evidence/bytes.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, type NodePosition } from '../../../ledger/evidence/merkleTree.ts';
import { sha256 } from '../../../ledger/evidence/sha256.ts';
import {
  decodeEntryBundle,
  decodeTile,
  decodeTilePath,
  encodeEntryBundle,
  encodeTilePath,
  type Tile,
  toNewTiles,
  toRangeHash,
  toTilePositions,
  toTileRange,
} from '../../../ledger/evidence/tiles.ts';
import { readC2spVectors } from '../../support/c2sp.ts';
import { leafData } from '../../support/merkleTrees.ts';
import { isUnreadable } from '../../support/unreadable.ts';

const { tiles } = readC2spVectors();

const growTo = (size: number): Map<string, Uint8Array> => {
  const nodes = new Map<string, Uint8Array>();
  const leaves = Array.from({ length: size }, (_, at) => hashLeaf(leafData(at)));
  extendFrontier(EMPTY_FRONTIER, leaves, ({ level, index }, hash) => nodes.set(`${level}/${index}`, hash));
  return nodes;
};

const isHashes = (tile: Tile): tile is Tile & { level: number } => tile.level !== 'entries';

describe('the path of a tile', () => {
  for (const { path, ...tile } of tiles.paths) {
    it(`is that of another program: ${path}`, () => {
      expect(encodeTilePath(tile)).to.equal(path);
      expect(decodeTilePath(path)).to.deep.equal(tile);
    });
  }

  it('is readable where it is for another program', () => {
    // The other program reads these as well, which the specification doesn't have.
    const lenient = ['tile/64/000', 'tile/data/000'];
    const readable = tiles.texts.map(({ path, valid }) => (valid ? path : '')).filter((path) => path !== '');
    const found = tiles.texts.filter(({ path }) => !isUnreadable(() => decodeTilePath(path)));
    expect(found.map(({ path }) => path)).to.deep.equal(readable.filter((path) => !lenient.includes(path)));
    for (const path of [
      'tile/0/000/000',
      'tile/0/x999/x999/x999/x999/x999/x999/999',
      'tile/0/x900/x719/x925/x474/x099/200',
    ]) {
      expect(
        isUnreadable(() => decodeTilePath(path)),
        path,
      ).to.equal(true);
    }
  });

  it('decodes to the tile that it was encoded from', () => {
    const arbitrary = fc.record({
      level: fc.oneof(fc.nat(63), fc.constant('entries' as const)),
      index: fc.oneof(fc.nat(3000), fc.maxSafeNat()),
      width: fc.integer({ min: 1, max: 256 }),
    });
    const check = fc.property(arbitrary, (tile) => {
      expect(decodeTilePath(encodeTilePath(tile))).to.deep.equal(tile);
    });
    fc.assert(check);
  });
});

describe('the tiles of a log that grows', () => {
  for (const { from, to, count, paths_sha256, paths } of tiles.new) {
    it(`are those of another program: from ${from} to ${to}`, () => {
      const found = toNewTiles(from, to).map(encodeTilePath);
      if (paths !== undefined) expect(found).to.deep.equal(paths);
      expect(found).to.have.length(count);
      expect(toHex(sha256(Buffer.from(found.join('\n'))))).to.equal(paths_sha256);
    });
  }
});

describe('the contents of tiles', () => {
  let nodes: Map<string, Uint8Array>;
  const hashOf = ({ level, index }: NodePosition): Uint8Array => nodes.get(`${level}/${index}`)!;
  const contentOf = (path: string): Uint8Array => {
    const tile = decodeTilePath(path);
    return concatBytes(isHashes(tile) ? toTilePositions(tile).map(hashOf) : []);
  };
  before(() => {
    nodes = growTo(tiles.size);
  });

  for (const { path, bytes, sha256: hash } of tiles.contents) {
    it(`are those of another program: ${path}`, () => {
      expect(contentOf(path)).to.have.length(bytes);
      expect(toHex(sha256(contentOf(path)))).to.equal(hash);
      const { width } = decodeTilePath(path);
      expect(decodeTile(contentOf(path), width)).to.have.length(width);
      expect(isUnreadable(() => decodeTile(contentOf(path), width - 1))).to.equal(true);
      expect(isUnreadable(() => decodeTile(contentOf(path).subarray(1), width))).to.equal(true);
    });
  }

  it('have the hash of each complete subtree', () => {
    const names = [...nodes.keys()].filter((_, at) => at % 97 === 0);
    for (const name of [...names, '0/69999', '15/1', '16/0', '7/545', '8/272']) {
      const [level, index] = name.split('/').map(Number) as [number, number];
      const range = toTileRange({ level, index }, tiles.size);
      const hashes = decodeTile(contentOf(encodeTilePath(range.tile)), range.tile.width);
      expect(toHex(toRangeHash(hashes, range)), name).to.equal(toHex(nodes.get(name)!));
    }
    expect(names.length).to.be.greaterThan(1000);
  });

  it('have no subtree outside of the tree', () => {
    for (const position of [
      { level: 0, index: 70_000 },
      { level: 16, index: 1 },
      { level: 4, index: 4375 },
    ]) {
      expect(isUnreadable(() => toTileRange(position, tiles.size))).to.equal(true);
    }
  });
});

describe('a bundle of entries', () => {
  const { entries, bytes } = tiles.bundle;

  it('is that of another program', () => {
    const raw = entries.map((entry) => new Uint8Array(fromHex(entry)));
    expect(toHex(encodeEntryBundle(raw))).to.equal(bytes);
    expect(decodeEntryBundle(fromHex(bytes), raw.length).map(toHex)).to.deep.equal(entries);
  });

  it('has exactly so many entries', () => {
    const bundle = fromHex(bytes);
    for (const width of [0, entries.length - 1, entries.length + 1]) {
      expect(
        isUnreadable(() => decodeEntryBundle(bundle, width)),
        `${width}`,
      ).to.equal(true);
    }
    expect(isUnreadable(() => decodeEntryBundle(bundle.subarray(0, -1), entries.length))).to.equal(true);
    expect(isUnreadable(() => decodeEntryBundle(Uint8Array.of(0), 1))).to.equal(true);
    expect(decodeEntryBundle(new Uint8Array(), 0)).to.deep.equal([]);
  });

  it('has entries of up to 65,535 bytes', () => {
    const largest = new Uint8Array(65_535).fill(9);
    expect(decodeEntryBundle(encodeEntryBundle([largest]), 1)).to.deep.equal([largest]);
    expect(isUnreadable(() => encodeEntryBundle([new Uint8Array(65_536)]))).to.equal(true);
  });
});

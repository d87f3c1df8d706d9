// The static files of a log (c2sp.org/tlog-tiles): tiles of up to 256 hashes of one level of the tree, and bundles of
// up to 256 entries. A level of tiles is eight levels of the tree.
import { concatBytes, toView } from './bytes.ts';
import { fromDecimal } from './lines.ts';
import { type NodePosition, toRoot } from './merkleTree.ts';
import { assertReadable } from './unreadableEvidence.ts';

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

const HASH_BYTES = 32;
const TREE_LEVELS = 8;
const LEVEL_MAX = 63;
const ENTRY_BYTES_MAX = 0xffff;
const LENGTH_BYTES = 2;
const PATH = /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** A file of a log. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it: 256, or fewer at the end of the tree. */
  readonly width: number;
}

/** Where the hash of a complete subtree is: the root over so many hashes of a tile. */
export interface TileRange {
  readonly tile: Tile;
  readonly offset: number;
  readonly count: number;
}

const toIndexPath = (index: number): string => {
  const groups = [index % 1000];
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) groups.unshift(rest % 1000);
  const digits = groups.map((group) => `${group}`.padStart(3, '0'));
  return digits.map((group, at) => (at < digits.length - 1 ? `x${group}` : group)).join('/');
};

/** The path of a file below the log's URL. */
export const encodeTilePath = ({ level, index, width }: Tile): string =>
  `tile/${level}/${toIndexPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;

/**
 * The file that a path names.
 * @throws UnreadableEvidence for any other text.
 */
export const decodeTilePath = (path: string): Tile => {
  const [, level, groups, width] = PATH.exec(path) ?? [];
  assertReadable(level !== undefined && groups !== undefined, 'not a path of a tile');
  const index = fromDecimal(groups.replace(/[x/]/g, '').replace(/^0+(?=.)/, ''));
  const tile: Tile = {
    level: level === 'entries' ? level : fromDecimal(level),
    index,
    width: width === undefined ? TILE_WIDTH : fromDecimal(width),
  };
  // Leading groups of zeros and a width of 256 or more have no other text.
  assertReadable(tile.width <= TILE_WIDTH && encodeTilePath(tile) === path, 'not a path of a tile');
  assertReadable(tile.level === 'entries' || tile.level <= LEVEL_MAX, 'not a path of a tile');
  return tile;
};

const toWidth = (index: number, hashes: number): number => Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH);

/**
 * The tiles that a tree has and a smaller one lacks, level by level: those to write when a log grows. Bundles of
 * entries correspond to the tiles of level 0.
 */
export const toNewTiles = (from: number, to: number): Tile[] => {
  const tiles: Tile[] = [];
  let [before, after] = [from, to];
  for (let level = 0; after > 0; level += 1) {
    const first = Math.floor(before / TILE_WIDTH);
    const end = before === after ? first : Math.ceil(after / TILE_WIDTH);
    for (let index = first; index < end; index += 1) tiles.push({ level, index, width: toWidth(index, after) });
    [before, after] = [Math.floor(before / TILE_WIDTH), Math.floor(after / TILE_WIDTH)];
  }
  return tiles;
};

/** The complete subtrees whose hashes a tile contains, in order. */
export const toTilePositions = ({ level, index, width }: Tile & { readonly level: number }): NodePosition[] =>
  Array.from({ length: width }, (_, at) => ({ level: level * TREE_LEVELS, index: index * TILE_WIDTH + at }));

/**
 * Where the files of a tree have the hash of a complete subtree.
 * @param size of the tree, which determines whether the tile is full.
 * @throws UnreadableEvidence when the tree doesn't have the subtree.
 */
export const toTileRange = ({ level, index }: NodePosition, size: number): TileRange => {
  assertReadable((index + 1) * 2 ** level <= size, 'a subtree outside of the tree');
  const tileLevel = Math.floor(level / TREE_LEVELS);
  const count = 2 ** (level % TREE_LEVELS);
  const tileIndex = Math.floor((index * count) / TILE_WIDTH);
  const width = toWidth(tileIndex, Math.floor(size / TILE_WIDTH ** tileLevel));
  return { tile: { level: tileLevel, index: tileIndex, width }, offset: (index * count) % TILE_WIDTH, count };
};

/** The hash of a complete subtree from the hashes of its tile. */
export const toRangeHash = (hashes: readonly Uint8Array[], { offset, count }: TileRange): Uint8Array =>
  toRoot(hashes.slice(offset, offset + count));

/**
 * The hashes in a tile.
 * @throws UnreadableEvidence unless there are exactly `width`.
 */
export const decodeTile = (bytes: Uint8Array, width: number): Uint8Array[] => {
  assertReadable(bytes.length === width * HASH_BYTES, 'a tile with another number of hashes');
  return Array.from({ length: width }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
};

/**
 * The bytes of a bundle of entries.
 * @throws UnreadableEvidence for an entry above 65,535 bytes.
 */
export const encodeEntryBundle = (entries: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    entries.flatMap((entry) => {
      assertReadable(entry.length <= ENTRY_BYTES_MAX, 'an entry exceeds 65,535 bytes');
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );

/**
 * The entries of a bundle.
 * @throws UnreadableEvidence unless there are exactly `width`.
 */
export const decodeEntryBundle = (bytes: Uint8Array, width: number): Uint8Array[] => {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (entries.length < width) {
    assertReadable(at + LENGTH_BYTES <= bytes.length, 'a bundle of entries ends early');
    const start = at + LENGTH_BYTES;
    at = start + toView(bytes).getUint16(at);
    entries.push(bytes.subarray(start, at));
  }
  assertReadable(at === bytes.length, 'a bundle of entries of another length');
  return entries;
};

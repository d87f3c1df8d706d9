// The right edge of a log's tree: the tiles that aren't full, of which the tree grows. It needs no other hash.
import { concatBytes } from '../../ledger/evidence/bytes.ts';
import { hashLeaf, toPeakPositions, toRoot, toRootOfPeaks } from '../../ledger/evidence/merkleTree.ts';
import { encodeEntryBundle, TILE_WIDTH, type Tile } from '../../ledger/evidence/tiles.ts';

/** The right edge of a tree. */
export interface LogEdge {
  /** Number of entries of the log. */
  readonly size: number;
  /** Hashes of the tile of each level that isn't full: 255 at most. */
  readonly tiles: readonly (readonly Uint8Array[])[];
  /** Entries of the bundle that isn't full. */
  readonly entries: readonly Uint8Array[];
  /** The newest entry; undefined in an empty log. */
  readonly newest: Uint8Array | undefined;
}

/** A file of a log with its content. */
export interface LogFile {
  readonly tile: Tile;
  readonly bytes: Uint8Array;
}

/** The edge of an empty log. */
export const EMPTY_EDGE: LogEdge = { size: 0, tiles: [], entries: [], newest: undefined };

// `count` is the number of hashes of level 0 with the new one.
const addHash = (tiles: Uint8Array[][], leafHash: Uint8Array, count: number, files: LogFile[]): void => {
  let [hash, end] = [leafHash, count];
  for (let level = 0; ; level += 1) {
    if (tiles[level] === undefined) tiles[level] = [];
    const tile = tiles[level]!;
    tile.push(hash);
    if (tile.length < TILE_WIDTH) return;
    end /= TILE_WIDTH;
    files.push({ tile: { level, index: end - 1, width: TILE_WIDTH }, bytes: concatBytes(tile) });
    hash = toRoot(tile);
    tiles[level] = [];
  }
};

/** The edge after more entries, and the files that they completed. */
export const extendEdge = (edge: LogEdge, added: readonly Uint8Array[]): { edge: LogEdge; full: LogFile[] } => {
  const tiles = edge.tiles.map((tile) => [...tile]);
  const full: LogFile[] = [];
  let entries = [...edge.entries];
  let { size } = edge;
  for (const entry of added) {
    size += 1;
    entries.push(entry);
    if (entries.length === TILE_WIDTH) {
      const tile = { level: 'entries', index: size / TILE_WIDTH - 1, width: TILE_WIDTH } as const;
      full.push({ tile, bytes: encodeEntryBundle(entries) });
      entries = [];
    }
    addHash(tiles, hashLeaf(entry), size, full);
  }
  return { edge: { size, tiles, entries, newest: added.at(-1) ?? edge.newest }, full };
};

/** The files of a tree that aren't full: tiles and bundle with fewer than 256 hashes or entries. */
export const toPartialTiles = (size: number): Tile[] => {
  const partial: Tile[] = [];
  for (let [level, count] = [0, size]; count > 0; [level, count] = [level + 1, Math.floor(count / TILE_WIDTH)]) {
    const place = { index: Math.floor(count / TILE_WIDTH), width: count % TILE_WIDTH };
    if (place.width === 0) continue;
    partial.push({ level, ...place });
    if (level === 0) partial.push({ level: 'entries', ...place });
  }
  return partial;
};

/** Hashes or entries of a tile that isn't full, as the edge has them; none when it isn't one of the edge. */
export const readEdgeTile = ({ tiles, entries }: LogEdge, level: Tile['level']): readonly Uint8Array[] =>
  level === 'entries' ? entries : (tiles[level] ?? []);

/** The content of a file with these hashes or entries. */
export const encodeTile = (level: Tile['level'], parts: readonly Uint8Array[]): Uint8Array =>
  level === 'entries' ? encodeEntryBundle(parts) : concatBytes(parts);

const toPeaks = (tile: readonly Uint8Array[]): Uint8Array[] =>
  toPeakPositions(tile.length).map(({ level, index }) =>
    toRoot(tile.slice(index * 2 ** level, (index + 1) * 2 ** level)),
  );

/** Root of the tree with this edge. */
export const toEdgeRoot = ({ tiles }: LogEdge): Uint8Array => toRootOfPeaks([...tiles].reverse().flatMap(toPeaks));

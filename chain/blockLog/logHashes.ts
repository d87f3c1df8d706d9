// Hashes of subtrees of a log, from its tiles: roots of earlier sizes, and proofs of consistency.
import { planConsistency, toProof } from '../../ledger/evidence/merkleProof.ts';
import { type NodePosition, toNodeLookup, toPeakPositions, toRootOfPeaks } from '../../ledger/evidence/merkleTree.ts';
import { decodeTile, encodeTilePath, type Tile, toRangeHash, toTileRange } from '../../ledger/evidence/tiles.ts';
import type { BlockLog } from './blockLog.ts';
import { refuseLog } from './logFiles.ts';

type Tiles = Pick<BlockLog, 'readTile'>;

/**
 * Reads the hashes of complete subtrees of a log that has so many entries; each tile once. Returns the hash of each.
 * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
 */
export const readSubtreeHashes = async (log: Tiles, positions: readonly NodePosition[], size: number) => {
  const tiles = new Map<string, readonly Uint8Array[]>();
  const readTile = async (tile: Tile): Promise<readonly Uint8Array[]> => {
    const path = encodeTilePath(tile);
    const bytes = tiles.has(path) ? undefined : await log.readTile(tile);
    if (bytes !== undefined) tiles.set(path, decodeTile(bytes, tile.width));
    const hashes = tiles.get(path);
    if (hashes === undefined) throw refuseLog(`the log doesn't have ${path}`);
    return hashes;
  };
  const hashes: Uint8Array[] = [];
  for (const position of positions) {
    const range = toTileRange(position, size);
    hashes.push(toRangeHash(await readTile(range.tile), range));
  }
  return toNodeLookup(positions, hashes);
};

/**
 * Root of the first `size` entries of a log that has them.
 * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
 */
export const readRoot = async (log: Tiles, size: number): Promise<Uint8Array> => {
  const peaks = toPeakPositions(size);
  return toRootOfPeaks(peaks.map(await readSubtreeHashes(log, peaks, size)));
};

/**
 * The proof that the first `from` entries are the beginning of the first `to`, in a log that has them.
 * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
 */
export const readConsistencyProof = async (log: Tiles, from: number, to: number): Promise<Uint8Array[]> => {
  const plan = planConsistency(from, to);
  return toProof(plan, await readSubtreeHashes(log, plan.flat(), to));
};

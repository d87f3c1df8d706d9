// The proof that the log of a chain's blocks contains a block, for the checkpoint that others know.
import { fromHex } from '../../ledger/encoding/hex.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { hashLeaf, type NodePosition } from '../../ledger/evidence/merkleTree.ts';
import { decodeTile, encodeTilePath, type Tile, toRangeHash, toTileRange } from '../../ledger/evidence/tiles.ts';
import { encodeTlogProof, isProvenEntry } from '../../ledger/evidence/tlogProof.ts';
import type { BlockLog, SignedHead } from '../blockLog/blockLog.ts';
import { refuseLog } from '../blockLog/logFiles.ts';
import type { BlockRef } from '../port.ts';

const toName = ({ level, index }: NodePosition): string => `${level}/${index}`;

// The hashes of complete subtrees; each tile is read once.
const readHashes = async (
  { readTile }: Pick<BlockLog, 'readTile'>,
  positions: readonly NodePosition[],
  size: number,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const tiles = new Map<string, Promise<Uint8Array[]>>();
  const read = async (tile: Tile): Promise<Uint8Array[]> => {
    const bytes = await readTile(tile);
    if (bytes === undefined) throw refuseLog(`log/${encodeTilePath(tile)} is missing`);
    return decodeTile(bytes, tile.width);
  };
  const hashes = new Map<string, Uint8Array>();
  for (const position of positions) {
    const range = toTileRange(position, size);
    const path = encodeTilePath(range.tile);
    const tile = tiles.get(path) ?? read(range.tile);
    tiles.set(path, tile);
    hashes.set(toName(position), toRangeHash(await tile, range));
  }
  return hashes;
};

/**
 * The text of the proof (c2sp.org/tlog-proof@v1) that a checkpoint covers a block.
 * @param head a checkpoint of the log whose newest block is the block or a later one.
 * @throws LedgerError LOG_CORRUPT when the log has another block in its place, or a file is missing.
 */
export const proveLoggedBlock = async (
  log: Pick<BlockLog, 'readTile'>,
  { note, size, newestBlock }: SignedHead,
  { number, hash }: BlockRef,
): Promise<string> => {
  const index = number - (newestBlock - size + 1);
  const plan = planInclusion(index, size);
  const hashes = await readHashes(log, plan.flat(), size);
  const proof = { index, path: toProof(plan, (position) => hashes.get(toName(position))!), checkpoint: note };
  if (!isProvenEntry(proof, hashLeaf(fromHex(hash)))) throw refuseLog(`the block log has another block ${number}`);
  return encodeTlogProof(proof);
};

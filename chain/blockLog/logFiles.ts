// Reads the files of a log. What a file contains counts only when the tree has its hash: a full tile is compared with
// its hash in the tile above it, up to the edge, which is compared with the signed checkpoint.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LedgerError } from '../../ledger/errors.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { hashLeaf, toRoot } from '../../ledger/evidence/merkleTree.ts';
import { decodeEntryBundle, decodeTile, encodeTilePath, TILE_WIDTH, type Tile } from '../../ledger/evidence/tiles.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import { EMPTY_EDGE, type LogEdge, readEdgeTile, toPartialTiles } from './logEdge.ts';

type Parts = readonly Uint8Array[];

/** Name of the newest checkpoint that enough witnesses cosigned. */
export const WITNESSED_FILE = 'witnessed';
/** Name of the newest time stamp of a checkpoint (RFC 3161), in DER. */
export const TIMESTAMP_FILE = 'timestamp';
/** Name of the proof of the contract's account. */
export const ACCOUNT_FILE = 'account.json';
/** Directory of the records of checkpoints on another ledger. */
export const ELSEWHERE_DIRECTORY = 'elsewhere';

const REMEDY = 'Nothing was changed. Restore the directory log of DATA_DIR from a backup';

/** The refusal of a log with this problem. */
export const refuseLog = (problem: string, remedy = REMEDY, cause?: unknown): LedgerError =>
  new LedgerError('LOG_CORRUPT', { message: `${problem}. ${remedy}`, cause });

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The text of a file; undefined when there is none. */
export const readText = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Names of the files of a directory that are complete, sorted; none when there is no directory. */
export const listComplete = async (directory: string): Promise<string[]> => {
  try {
    return (await readdir(directory)).filter((name) => !name.endsWith('.tmp')).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

// Not compared with the tree.
const readParts = async (directory: string, tile: Tile): Promise<Parts> => {
  const path = encodeTilePath(tile);
  try {
    const bytes = await readFile(join(directory, path));
    return tile.level === 'entries' ? decodeEntryBundle(bytes, tile.width) : decodeTile(bytes, tile.width);
  } catch (cause) {
    if (isMissing(cause)) throw refuseLog(`log/${path} is missing`, REMEDY, cause);
    if (cause instanceof UnreadableEvidence) throw refuseLog(`log/${path} is damaged`, REMEDY, cause);
    throw cause;
  }
};

const assertEntries = (entries: Parts, hashes: Parts, tile: Tile): void => {
  const isSame =
    entries.length === hashes.length && entries.every((entry, at) => isSameBytes(hashLeaf(entry), hashes[at]!));
  if (!isSame) throw refuseLog(`log/${encodeTilePath(tile)} differs from the tree`);
};

const readNewest = async (directory: string, size: number): Promise<Uint8Array | undefined> => {
  if (size === 0) return undefined;
  return (await readParts(directory, { level: 'entries', index: size / TILE_WIDTH - 1, width: TILE_WIDTH })).at(-1);
};

/**
 * The edge of a log of this size, from its files. Only its own entries are compared with it; the caller compares its
 * root with the checkpoint.
 * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
 */
export const readEdge = async (directory: string, size: number): Promise<LogEdge> => {
  const tiles: Parts[] = [];
  let entries: Parts = [];
  for (let [level, count] = [0, size]; count > 0; [level, count] = [level + 1, Math.floor(count / TILE_WIDTH)])
    tiles[level] = [];
  for (const tile of toPartialTiles(size)) {
    const parts = await readParts(directory, tile);
    if (tile.level === 'entries') entries = parts;
    else tiles[tile.level] = parts;
  }
  assertEntries(entries, tiles[0] ?? [], {
    level: 'entries',
    index: Math.floor(size / TILE_WIDTH),
    width: entries.length,
  });
  return { ...EMPTY_EDGE, size, tiles, entries, newest: entries.at(-1) ?? (await readNewest(directory, size)) };
};

/**
 * The hashes or entries of a tile, compared with the tree; undefined when the tree doesn't have so many.
 * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
 */
export const readTileParts = async (directory: string, edge: LogEdge, tile: Tile): Promise<Parts | undefined> => {
  const { level, index, width } = tile;
  const count = Math.floor(edge.size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  if (index * TILE_WIDTH + width > count) return undefined;
  if (index === Math.floor(count / TILE_WIDTH)) return readEdgeTile(edge, level).slice(0, width);
  const full = { level, index, width: TILE_WIDTH };
  const parts = await readParts(directory, full);
  if (level === 'entries') {
    assertEntries(parts, (await readTileParts(directory, edge, { ...full, level: 0 }))!, full);
  } else {
    const at = index % TILE_WIDTH;
    const above = { level: level + 1, index: Math.floor(index / TILE_WIDTH), width: at + 1 };
    const hash = (await readTileParts(directory, edge, above))![at]!;
    if (!isSameBytes(toRoot(parts), hash)) throw refuseLog(`log/${encodeTilePath(full)} differs from the tree`);
  }
  return parts.slice(0, width);
};

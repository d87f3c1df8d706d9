// The log of a chain's blocks: entry n is the hash of block n, from the first block of the log on. Its files are those
// of C2SP (tlog-tiles), durable before the checkpoint that covers them, which is durable before it is shown. What a
// checkpoint covers is never written again: the log continues from its newest checkpoint, also after a kill.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { encodeTilePath, TILE_WIDTH, type Tile, toNewTiles } from '../../ledger/evidence/tiles.ts';
import type { BlockRef, ChainPort } from '../port.ts';
import { createSerialQueue } from '../writing/serialQueue.ts';
import type { CheckpointSigner } from './checkpointSigner.ts';
import { createDurableFiles, type DurableFiles } from './durableFiles.ts';
import {
  EMPTY_EDGE,
  encodeTile,
  extendEdge,
  type LogEdge,
  readEdgeTile,
  toEdgeRoot,
  toPartialTiles,
} from './logEdge.ts';
import {
  ACCOUNT_FILE,
  ELSEWHERE_DIRECTORY,
  listComplete,
  readEdge,
  readText,
  readTileParts,
  refuseLog,
  TIMESTAMP_FILE,
  WITNESSED_FILE,
} from './logFiles.ts';
import { readLogIdentity, writeLogIdentity } from './logIdentity.ts';
import { verifyOwnNote } from './ownNote.ts';

const CHECKPOINT = 'checkpoint';
/** Blocks between two checkpoints while a log catches up: a kill loses the work on no more than these. */
const BLOCKS_PER_CHECKPOINT = 65_536;
const NEW_LOG =
  'The checkpoints of this log were published, so the chain needs a log of another name: move the directory log of ' +
  'DATA_DIR elsewhere, and set LOG_ORIGIN to the origin with the next number at its end (/2, /3, ...)';
const UNCHANGED = 'Nothing was changed.';

/** The newest checkpoint of a log. */
export interface SignedHead {
  /** The signed note. */
  readonly note: string;
  /** Number of blocks that it covers. */
  readonly size: number;
  /** Number of its newest block. */
  readonly newestBlock: number;
  /** When the log signed it. */
  readonly signedAtSeconds: number;
  /** Its time stamp (RFC 3161) in DER, where it has one. */
  readonly timestamp?: Uint8Array | undefined;
}

/** The log of a chain's blocks. */
export interface BlockLog {
  /** The newest checkpoint; undefined before the first one. */
  head(): SignedHead | undefined;
  /**
   * Adds all final blocks, and signs a checkpoint with the time, also when there is no new block.
   * @throws LedgerError LOG_CORRUPT when the chain has another block than the log; CHAIN_UNAVAILABLE when it lacks one.
   */
  advance(): Promise<void>;
  /**
   * The content of a tile or bundle, compared with the tree; undefined when the newest checkpoint doesn't cover it.
   * @throws LedgerError LOG_CORRUPT when a file is missing or damaged.
   */
  readTile(tile: Tile): Promise<Uint8Array | undefined>;
  /** @throws LedgerError LOG_CORRUPT when any file is missing or damaged. */
  assertUndamaged(): Promise<void>;
  /** Copies the newest checkpoint and all files that it covers into another directory, synced. */
  copyTo(directory: string): Promise<void>;
}

/** Options of a log. */
export interface BlockLogOptions {
  /** Directory of its files, which exists. */
  readonly directory: string;
  /** Number of the block that is entry 0. */
  readonly firstBlock: number;
  readonly signer: CheckpointSigner;
  readonly chain: Pick<ChainPort, 'fetchFinalHead' | 'fetchBlockHash'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Whether a directory has a log that signed a checkpoint. */
export const hasCheckpoint = (directory: string): boolean => existsSync(join(directory, CHECKPOINT));

/** The newest checkpoint of a directory's log, as it signed it; undefined before the first one. */
export const readCheckpoint = (directory: string): Promise<string | undefined> => readText(join(directory, CHECKPOINT));

interface State {
  readonly edge: LogEdge;
  readonly head: SignedHead | undefined;
}

// Without a key: to copy what a restore verifies.
const readSize = (note: string): number => {
  try {
    return decodeCheckpoint(decodeSignedNote(note).text).size;
  } catch (cause) {
    throw refuseLog(`log/${CHECKPOINT} is damaged`, undefined, cause);
  }
};

const readState = async ({ directory, firstBlock, signer }: BlockLogOptions): Promise<State> => {
  const note = await readCheckpoint(directory);
  if (note === undefined) return { edge: EMPTY_EDGE, head: undefined };
  const { size, root, timeSeconds } = verifyOwnNote(CHECKPOINT, note, signer);
  const edge = await readEdge(directory, size);
  if (!isSameBytes(toEdgeRoot(edge), root)) throw refuseLog(`the newest tiles in log differ from log/${CHECKPOINT}`);
  return { edge, head: { note, size, newestBlock: firstBlock + size - 1, signedAtSeconds: timeSeconds } };
};

// A block has the hash of the one before it, so the newest one is compared for all.
const assertSameChain = async ({ edge, head }: State, { chain }: Pick<BlockLogOptions, 'chain'>): Promise<void> => {
  if (head === undefined) return;
  const { newestBlock } = head;
  const [hash, known] = [await chain.fetchBlockHash(newestBlock), toHex(edge.newest!)];
  if (hash === undefined) {
    const message = `the block log has block ${newestBlock}, and the chain doesn't. ${UNCHANGED} If nodes are behind, wait. If the chain has lost blocks: ${NEW_LOG}`;
    throw new LedgerError('CHAIN_UNAVAILABLE', { message });
  }
  if (hash !== known)
    throw refuseLog(
      `block ${newestBlock} of the chain is ${hash}, and ${known} in the block log`,
      `${UNCHANGED} ${NEW_LOG}`,
    );
};

// What witnesses cosigned or another ledger has is never larger than the checkpoint. A log without a checkpoint has
// published nothing.
const copyLog = async (
  directory: string,
  target: string,
  head: Pick<SignedHead, 'note' | 'size'> | undefined,
): Promise<void> => {
  const identity = await readLogIdentity(directory);
  if (head === undefined || identity === undefined) return;
  await writeLogIdentity(target, identity);
  const files = createDurableFiles(target);
  const tiles = toNewTiles(0, head.size);
  const bundles = tiles.filter(({ level }) => level === 0).map((tile) => ({ ...tile, level: 'entries' }) as const);
  for (const tile of [...tiles, ...bundles]) {
    const path = encodeTilePath(tile);
    await files.write(path, await readFile(join(directory, path)));
  }
  await files.write(CHECKPOINT, head.note);
  const others = [WITNESSED_FILE, TIMESTAMP_FILE, ACCOUNT_FILE];
  for (const name of others.filter((each) => existsSync(join(directory, each))))
    await files.write(name, await readFile(join(directory, name)));
  for (const name of await listComplete(join(directory, ELSEWHERE_DIRECTORY))) {
    const path = join(ELSEWHERE_DIRECTORY, name);
    const text = await readText(join(directory, path));
    if (text !== undefined) await files.write(path, text);
  }
  await files.syncNames();
};

const fetchHash = async (chain: BlockLogOptions['chain'], number: number): Promise<Uint8Array> => {
  const hash = await chain.fetchBlockHash(number);
  if (hash === undefined) throw new LedgerError('CHAIN_UNAVAILABLE', { message: `no node has block ${number}` });
  return fromHex(hash);
};

// Adds the blocks up to `last`, and writes the files that they complete.
const growEdge = async (
  from: LogEdge,
  last: number,
  options: BlockLogOptions,
  files: DurableFiles,
): Promise<LogEdge> => {
  let edge = from;
  for (let next = options.firstBlock + edge.size; next <= last; next += TILE_WIDTH) {
    const numbers = Array.from({ length: Math.min(TILE_WIDTH, last - next + 1) }, (_, at) => next + at);
    const hashes = await Promise.all(numbers.map((number) => fetchHash(options.chain, number)));
    const grown = extendEdge(edge, hashes);
    for (const { tile, bytes } of grown.full) await files.write(encodeTilePath(tile), bytes);
    edge = grown.edge;
  }
  return edge;
};

const isFullIn =
  (size: number) =>
  ({ level, index }: Tile): boolean =>
    (index + 1) * TILE_WIDTH ** (level === 'entries' ? 1 : level + 1) <= size;

// Clients of earlier checkpoints use the full tile.
const removePartialTiles = async (directory: string, before: number, after: number): Promise<void> => {
  for (const tile of toPartialTiles(before).filter(isFullIn(after))) {
    const full = encodeTilePath({ ...tile, width: TILE_WIDTH });
    await rm(join(directory, `${full}.p`), { recursive: true, force: true });
  }
};

// A log that has been read.
const createBlockLog = (options: BlockLogOptions, known: State): BlockLog => {
  const { directory, firstBlock, signer, chain, now } = options;
  const files = createDurableFiles(directory);
  const runSerially = createSerialQueue();
  let state = known;

  const publish = async (edge: LogEdge): Promise<void> => {
    const { size } = edge;
    for (const tile of toPartialTiles(size)) {
      await files.write(encodeTilePath(tile), encodeTile(tile.level, readEdgeTile(edge, tile.level)));
    }
    await files.syncNames();
    // The statement of its time is about the largest tree so far, so the time never goes back.
    const signedAtSeconds = Math.max(Math.floor(now() / 1_000), state.head?.signedAtSeconds ?? 0);
    const note = signer.sign({ size, root: toEdgeRoot(edge) }, signedAtSeconds);
    await files.write(CHECKPOINT, note);
    await files.syncNames();
    state = { edge, head: { note, size, newestBlock: firstBlock + size - 1, signedAtSeconds } };
  };

  const advance = async (): Promise<void> => {
    const { number: last } = await chain.fetchFinalHead();
    await assertSameChain(state, options);
    do {
      const before = state.edge;
      const end = Math.min(last, firstBlock + before.size + BLOCKS_PER_CHECKPOINT - 1);
      const edge = await growEdge(before, end, options, files);
      if (edge.size === 0) return;
      await publish(edge);
      await removePartialTiles(directory, before.size, edge.size);
    } while (firstBlock + state.edge.size <= last);
  };

  return {
    head: () => state.head,
    advance: () => runSerially(advance),
    readTile: async (tile) => {
      const parts = await readTileParts(directory, state.edge, tile);
      return parts && encodeTile(tile.level, parts);
    },
    assertUndamaged: async () => {
      const { edge } = state;
      for (let index = 0; (index + 1) * TILE_WIDTH <= edge.size; index += 1)
        await readTileParts(directory, edge, { level: 'entries', index, width: TILE_WIDTH });
    },
    copyTo: (target) => runSerially(() => copyLog(directory, target, state.head)),
  };
};

/**
 * The log of a directory that no server has open, to copy it; undefined when it has no checkpoint. Nothing is compared:
 * a restore does that.
 * @throws LedgerError LOG_CORRUPT when the checkpoint can't be read.
 */
export const openStoppedLog = async (directory: string): Promise<Pick<BlockLog, 'copyTo'> | undefined> => {
  const note = await readCheckpoint(directory);
  if (note === undefined) return undefined;
  const size = readSize(note);
  return { copyTo: (target) => copyLog(directory, target, { note, size }) };
};

/**
 * The newest block of a directory's log, without a check of its signature; undefined when it has no checkpoint.
 * @throws LedgerError LOG_CORRUPT when its newest files differ from the checkpoint.
 */
export const readLoggedBlock = async (directory: string): Promise<BlockRef | undefined> => {
  const [note, identity] = [await readCheckpoint(directory), await readLogIdentity(directory)];
  if (note === undefined || identity === undefined) return undefined;
  const size = readSize(note);
  const { newest } = await readEdge(directory, size);
  return newest && { number: identity.firstBlock + size - 1, hash: toHex(newest) };
};

/**
 * Opens the log of a directory as its newest checkpoint states it.
 * @throws LedgerError LOG_CORRUPT when the newest files differ from the checkpoint, when another key signed it, or when
 * the chain has another block; CHAIN_UNAVAILABLE when the chain lacks the newest block of the log.
 */
export const openBlockLog = async (options: BlockLogOptions): Promise<BlockLog> => {
  const state = await readState(options);
  await assertSameChain(state, options);
  return createBlockLog(options, state);
};

// A second copy of the newest blocks, in a database of its own, from which a damaged journal is repaired. A block is
// written here only after it is synced in the journal, so the copy is never ahead of an undamaged journal. No request
// waits for the copy: it is synced once a second. It also has the logs of the last few blocks, from which a start after
// a kill completes the index before the chain is replayed; these are written while the journal is synced.
import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { findFileDamage } from '../../leveldb/fileDamage.ts';
import { decodeGenesis, encodeGenesis, type Genesis } from '../genesis.ts';
import type { TimedRpcLog } from '../readEmbeddedLogs.ts';
import { type BlockDatabase, openBlockDatabase, readLastNumber } from './blockDatabase.ts';
import { encodeBlockLogs, encodeLogsKey, isOfBlock } from './blockLogs.ts';
import { decodeBlock, encodeBlock, encodeBlockKey, type JournalBlock } from './journalBlock.ts';

/** Number of blocks that the copy keeps, besides the genesis. */
export const RECENT_BLOCKS = 1_000;
/**
 * Number of blocks whose logs the copy keeps: more than an index lacks after a kill, because few of its writes are in
 * progress at once.
 */
export const BLOCKS_WITH_LOGS = 16;

/** The copy of the newest blocks. */
export interface RecentBlocks {
  /** The damage that was found when the copy was opened; undefined when there was none. */
  readonly damage: string | undefined;
  /** The genesis; undefined when the copy has none, or a damaged one. */
  readGenesis(): Promise<Genesis | undefined>;
  /** Number of the newest block that the copy has; 0 when there is none. */
  readLastNumber(): Promise<number>;
  /** A block of the copy; undefined when it has none of this number, or a damaged one. */
  readBlock(number: number): Promise<JournalBlock | undefined>;
  /** The encoded logs of a block; undefined when the copy has none with this number and hash, or damaged ones. */
  readLogs(block: JournalBlock): Promise<Uint8Array | undefined>;
  /** Writes the genesis. */
  writeGenesis(genesis: Genesis): Promise<void>;
  /** Writes a block and removes the oldest one. Resolves when the write survives a kill of the process. */
  write(block: JournalBlock): Promise<void>;
  /** The same for the logs of a block, which the journal may not have yet. */
  writeLogs(block: JournalBlock, logs: readonly TimedRpcLog[]): Promise<void>;
  /** Removes everything, including files that LevelDB can't read. */
  clear(): Promise<void>;
  /** Resolves when all earlier writes are synced. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface OpenedCopy {
  readonly db: BlockDatabase | undefined;
  readonly damage: string | undefined;
}

const CHECKSUM_BYTES = 4;
const GENESIS_KEY = encodeBlockKey(0);

const toChecksum = (key: Uint8Array, value: Uint8Array): number => crc32(value, crc32(key));

const encodeChecked = (key: Uint8Array, value: Uint8Array): Uint8Array => {
  const entry = Buffer.allocUnsafe(value.length + CHECKSUM_BYTES);
  entry.set(value);
  entry.writeUInt32BE(toChecksum(key, value), value.length);
  return entry;
};

/** The entry of the copy without its checksum; undefined when it is damaged. */
export const decodeCopied = (key: Uint8Array, entry: Uint8Array | undefined): Uint8Array | undefined => {
  if (entry === undefined || entry.length < CHECKSUM_BYTES) return undefined;
  const value = entry.subarray(0, -CHECKSUM_BYTES);
  const checksum = Buffer.from(entry.buffer, entry.byteOffset + value.length, CHECKSUM_BYTES).readUInt32BE();
  return checksum === toChecksum(key, value) ? value : undefined;
};

const toPut = (key: Uint8Array, value: Uint8Array) => ({ type: 'put' as const, key, value: encodeChecked(key, value) });

const toRemovals = (number: number, toKey: (number: number) => Uint8Array) =>
  number > 0 ? [{ type: 'del' as const, key: toKey(number) }] : [];

// LevelDB changes the files of a damaged database when it opens it.
const openIfAllowed = async (directory: string, opensDamaged: boolean): Promise<OpenedCopy> => {
  const found = await findFileDamage(directory);
  if (found === undefined) return { db: await openBlockDatabase(directory), damage: undefined };
  const damage = `${found.file}, byte ${found.offset}: ${found.problem}`;
  if (!opensDamaged) return { db: undefined, damage };
  // A database that LevelDB can't open has nothing that could be read.
  return { db: await openBlockDatabase(directory).catch(() => undefined), damage };
};

/**
 * Opens the copy in a directory, which is created if needed. A copy with a damaged file is opened only with
 * `opensDamaged`, which lets LevelDB change its files. Otherwise reads find nothing, and `clear` must be called before
 * a write.
 */
export const openRecentBlocks = async (
  directory: string,
  { opensDamaged = true }: { opensDamaged?: boolean } = {},
): Promise<RecentBlocks> => {
  const opened = await openIfAllowed(directory, opensDamaged);
  let { db } = opened;
  let last: ReturnType<typeof toPut> | undefined;
  const read = async (key: Uint8Array): Promise<Uint8Array | undefined> => decodeCopied(key, await db?.get(key));
  return {
    damage: opened.damage,
    readGenesis: async () => {
      const value = await read(GENESIS_KEY);
      return value && decodeGenesis(value);
    },
    readLastNumber: async () => (db === undefined ? 0 : readLastNumber(db)),
    readBlock: async (number) => {
      const value = await read(encodeBlockKey(number));
      return value && decodeBlock(number, value);
    },
    readLogs: async ({ number, hash }) => {
      const value = await read(encodeLogsKey(number));
      return value !== undefined && isOfBlock(value, hash) ? value : undefined;
    },
    writeGenesis: async (genesis) => {
      last = toPut(GENESIS_KEY, encodeGenesis(genesis));
      await db!.put(last.key, last.value);
    },
    write: async (block) => {
      last = toPut(encodeBlockKey(block.number), encodeBlock(block));
      await db!.batch([last, ...toRemovals(block.number - RECENT_BLOCKS, encodeBlockKey)]);
    },
    writeLogs: async ({ number, hash }, logs) => {
      const put = toPut(encodeLogsKey(number), encodeBlockLogs(hash, logs));
      await db!.batch([put, ...toRemovals(number - BLOCKS_WITH_LOGS, encodeLogsKey)]);
    },
    clear: async () => {
      await db?.close();
      await rm(directory, { recursive: true, force: true });
      db = await openBlockDatabase(directory);
    },
    // A synced write also syncs all writes before it.
    sync: async () => {
      if (last !== undefined) await db!.put(last.key, last.value, { sync: true });
    },
    close: async () => db?.close(),
  };
};

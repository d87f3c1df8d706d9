// The only durable form of the embedded chain: entry 0 is the genesis, entry n is block n. An entry is on the disk,
// synced, before its block is acknowledged; every start replays the entries into memory.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { assertDiskSpace } from '../../leveldb/assertDiskSpace.ts';
import { copyDatabase } from '../../leveldb/copyDatabase.ts';
import { createMakeDurable } from '../../leveldb/durableLog.ts';
import { findFileDamage } from '../../leveldb/fileDamage.ts';
import { readCompleteRecords } from '../../leveldb/logFile.ts';
import { readLiveFiles } from '../../leveldb/manifestFile.ts';
import { reopenDatabase } from '../../leveldb/openDatabase.ts';
import type { BlockRef } from '../../port.ts';
import { decodeGenesis, encodeGenesis, type Genesis } from '../genesis.ts';
import type { TimedRpcLog } from '../readEmbeddedLogs.ts';
import { type BlockDatabase, openBlockDatabase, readLastNumber } from './blockDatabase.ts';
import type { KeptLogs } from './blockLogs.ts';
import {
  decodeBlock,
  decodeBlockKey,
  encodeBlock,
  encodeBlockKey,
  type JournalBlock,
  refuseBlock,
  refuseJournal,
} from './journalBlock.ts';

/** The entries of one chain. */
export interface Journal {
  /** The genesis; undefined when the journal is new. */
  readGenesis(): Promise<Genesis | undefined>;
  /** Number of the newest block; 0 when there is none. */
  readLastNumber(): Promise<number>;
  /**
   * All blocks from number 1, or from `first`, in order. Throws CHAIN_CORRUPT, naming the block, at a gap or a damaged
   * entry.
   */
  readBlocks(first?: number): AsyncIterable<JournalBlock>;
  /** The block with this number, from 1; undefined when there is none. Throws CHAIN_CORRUPT for a damaged entry. */
  readBlock(number: number): Promise<JournalBlock | undefined>;
  /**
   * Logs of the newest blocks up to the head, as they were when the blocks were mined, oldest first and without a gap;
   * none where the logs of the head were not kept.
   */
  readKeptLogs(): Promise<readonly KeptLogs[]>;
  /** Resolves when the genesis is on the disk. */
  writeGenesis(genesis: Genesis): Promise<void>;
  /** Resolves when the block is on the disk; its logs may not be kept. */
  appendBlock(block: JournalBlock, logs?: readonly TimedRpcLog[]): Promise<void>;
  /**
   * After an `appendBlock` that failed: closes the journal, opens it, checks that it ends with `head` or already has
   * the block, and appends the block. Rejects with CHAIN_CORRUPT, naming the block, when it ends with another one;
   * after any other rejection it may be called again.
   */
  recoverBlock(block: JournalBlock, head: BlockRef): Promise<void>;
  /**
   * Copies the journal as it is now into a new one in another directory. Resolves with the newest block that the copy
   * has.
   */
  copyTo(directory: string): Promise<BlockRef>;
  close(): Promise<void>;
}

const GENESIS_KEY = encodeBlockKey(0);
const SYNCED = { sync: true };
// Bytes that are read ahead, so that a replay holds little of the journal in memory.
const READ_AHEAD_BYTES = 1 << 20;

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const toOpenError = (directory: string, error: unknown): LedgerError => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (isCode(cause, 'LEVEL_CORRUPTION')) {
    return refuseJournal('LevelDB cannot read it', error);
  }
  const message = isCode(cause, 'LEVEL_LOCKED') ? `Another process has ${directory} open` : 'The journal does not open';
  return new LedgerError('CHAIN_UNAVAILABLE', { message, cause: error });
};

const orRefuse = <T>(directory: string, opening: Promise<T>): Promise<T> =>
  opening.catch((error: unknown) => {
    throw toOpenError(directory, error);
  });

// Each record of the log has one block: 12 bytes of LevelDB's header, a byte for put, the length of the key, the key.
const KEY_IN_RECORD_AT = 14;

// The blocks in the tables are older than those in the log.
const findFirstAfterTables = async (directory: string): Promise<number> => {
  const current = (await readFile(join(directory, 'CURRENT'), 'latin1')).trim();
  const { keyRanges } = readLiveFiles(await readFile(join(directory, current)));
  return Math.max(-1, ...[...keyRanges.values()].map(({ largest }) => decodeBlockKey(largest))) + 1;
};

const findFirstMissing = async (directory: string, file: string): Promise<number | undefined> => {
  if (!file.endsWith('.log')) return undefined;
  if (!existsSync(join(directory, file))) return findFirstAfterTables(directory);
  const last = readCompleteRecords(await readFile(join(directory, file))).records.at(-1);
  return last && decodeBlockKey(last.subarray(KEY_IN_RECORD_AT, KEY_IN_RECORD_AT + GENESIS_KEY.length)) + 1;
};

const readFirstNumber = async (db: BlockDatabase): Promise<number | undefined> => {
  for await (const key of db.keys({ limit: 1 })) return decodeBlockKey(key);
  return undefined;
};

const readGenesis = async (db: BlockDatabase): Promise<Genesis | undefined> => {
  const first = await readFirstNumber(db);
  if (first === undefined) return undefined;
  if (first !== 0) throw refuseBlock(0, 'the genesis entry is missing');
  return decodeGenesis((await db.get(GENESIS_KEY))!);
};

async function* readBlocks(db: BlockDatabase, first: number): AsyncIterable<JournalBlock> {
  let expected = first;
  const iterator = db.iterator({ gte: encodeBlockKey(first), highWaterMarkBytes: READ_AHEAD_BYTES });
  try {
    for await (const [key, value] of iterator) {
      const number = decodeBlockKey(key);
      if (number !== expected) throw refuseBlock(expected, `the entry is missing; the next one is ${number}`);
      yield decodeBlock(number, value);
      expected += 1;
    }
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw refuseBlock(expected, 'the entry cannot be read', error);
  }
}

const readBlock = async (db: BlockDatabase, number: number): Promise<JournalBlock | undefined> => {
  const entry = await db.get(encodeBlockKey(number));
  return entry && decodeBlock(number, entry);
};

const copyTo = async (db: BlockDatabase, directory: string): Promise<BlockRef> => {
  const last = await copyDatabase(db, directory);
  if (last === undefined) throw refuseBlock(0, 'the genesis entry is missing');
  const number = decodeBlockKey(last.key);
  return { number, hash: (number === 0 ? decodeGenesis(last.value) : decodeBlock(number, last.value)).hash };
};

const readHash = async (db: BlockDatabase, number: number): Promise<Hex | undefined> => {
  const entry = await db.get(encodeBlockKey(number));
  if (entry === undefined) return undefined;
  return number === 0 ? decodeGenesis(entry).hash : decodeBlock(number, entry).hash;
};

const assertEndsWith = async (db: BlockDatabase, head: BlockRef, block: JournalBlock): Promise<void> => {
  const last = await readLastNumber(db);
  const hash = await readHash(db, head.number);
  if (hash !== head.hash) throw refuseBlock(head.number, `its hash is ${hash ?? 'missing'}, not ${head.hash}`);
  if (last > block.number) throw refuseBlock(last, 'no process produced this block');
};

// LevelDB skips damaged records of its log when it opens a database, and deletes that log: so the files are checked
// before.
/** @throws LedgerError CHAIN_CORRUPT when a file of the closed journal in a directory is damaged. */
export const assertJournalUndamaged = async (directory: string): Promise<void> => {
  const damage = await findFileDamage(directory);
  if (damage === undefined) return;
  const { file, offset, problem } = damage;
  const missing = await findFirstMissing(directory, file);
  const block = missing === undefined ? '' : `; block ${missing} is the first that is missing`;
  throw refuseJournal(`${file}, byte ${offset}: ${problem}${block}`);
};

/**
 * Opens the journal in a directory, which is created if needed.
 * @throws LedgerError CHAIN_CORRUPT when a file of the database is damaged, CHAIN_UNAVAILABLE when another process has
 * it open.
 */
export const openJournal = async (directory: string): Promise<Journal> => {
  await assertJournalUndamaged(directory);
  return openUndamagedJournal(directory);
};

/** The same, for a journal whose files were checked already. */
export const openUndamagedJournal = async (directory: string): Promise<Journal> => {
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await orRefuse(directory, openBlockDatabase(directory)), (open) => open.close());
  const makeDurable = createMakeDurable(directory);
  opened.move();
  const appendBlock: Journal['appendBlock'] = (block) =>
    makeDurable(db.put(encodeBlockKey(block.number), encodeBlock(block), SYNCED));
  return {
    readGenesis: () => readGenesis(db),
    readLastNumber: () => readLastNumber(db),
    readBlocks: (first = 1) => readBlocks(db, first),
    readBlock: (number) => readBlock(db, number),
    readKeptLogs: async () => [],
    writeGenesis: (genesis) => makeDurable(db.put(GENESIS_KEY, encodeGenesis(genesis), SYNCED)),
    appendBlock,
    recoverBlock: async (block, head) => {
      await assertDiskSpace(directory);
      await db.close();
      await orRefuse(directory, reopenDatabase(db, directory));
      await assertEndsWith(db, head, block);
      await appendBlock(block);
    },
    copyTo: (target) => copyTo(db, target),
    close: () => db.close(),
  };
};

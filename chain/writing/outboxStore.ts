// The outbox's database: one entry under each sequence number, the newest time of acceptance, the newest block with a
// record of a removed entry, and the highest nonce of a transaction that contained entries.
import { crc32 } from 'node:zlib';
import { Level } from 'level';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { isTimestamp, toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { assertDiskSpace } from '../leveldb/assertDiskSpace.ts';
import { copyDatabase } from '../leveldb/copyDatabase.ts';
import { findFileDamage } from '../leveldb/fileDamage.ts';
import { openDatabase, reopenDatabase } from '../leveldb/openDatabase.ts';
import { readEntry } from '../leveldb/readEntries.ts';
import type { AccountNonce } from '../port.ts';
import { isAhead } from './highestNonce.ts';
import { decodeEntry, encodeEntry } from './outboxCodec.ts';
import type { OutboxEntry } from './outboxEntries.ts';
import { createOutboxWrites } from './outboxWrites.ts';

/** The database of one outbox. */
export interface OutboxStore {
  /** All entries, oldest first. Rejects with OUTBOX_CORRUPT. */
  readAll(): Promise<OutboxEntry[]>;
  /** The newest time, in milliseconds since 1970, at which a record was accepted; undefined when none was. */
  newestAcceptedMs(): number | undefined;
  /** The highest nonce that was noted; undefined when none was. */
  highestNonce(): AccountNonce | undefined;
  /** Whether the disk has this nonce, or a higher one of the same account. */
  isNoted(account: AccountNonce): boolean;
  /** Resolves when that is so. A nonce of another account replaces the one before. */
  noteNonce(account: AccountNonce): Promise<void>;
  /** Resolves when the entries are on the disk. */
  write(entries: readonly OutboxEntry[]): Promise<void>;
  /**
   * Removes entries whose records are on the chain, in `blockNumber` at the latest. Resolves when that is on the disk:
   * after a power failure, unsynced data before a synced entry could not be distinguished from damage.
   */
  remove(entries: readonly OutboxEntry[], blockNumber: number): Promise<void>;
  /**
   * Closes and opens the database, then makes it contain exactly these entries. Resolves, once that is synced, with the
   * number of entries that the disk had lost. Rejects while the disk refuses the write.
   */
  reopen(readEntries: () => readonly OutboxEntry[]): Promise<number>;
  /** Copies the entries of this moment into a new database in another directory. */
  copyTo(directory: string): Promise<void>;
  close(): Promise<void>;
}

type OutboxDatabase = Level<string, Uint8Array>;
type BatchOperation = { type: 'put'; key: string; value: Uint8Array } | { type: 'del'; key: string };

const SYNCED = { sync: true };
const SEQUENCE_DIGITS = 16;
const toSequenceKey = (sequence: number): string => String(sequence).padStart(SEQUENCE_DIGITS, '0');

// Sorts after all entries, whose keys are digits.
const NEWEST_KEY = 'newest-accepted';
const COMMITTED_BLOCK_KEY = 'settled-block';
const HIGHEST_NONCE_KEY = 'highest-nonce';
const ENTRIES = { lt: ':' };

const toPut = (entry: OutboxEntry) =>
  ({ type: 'put', key: toSequenceKey(entry.sequence), value: encodeEntry(entry) }) as const;
const toDel = (key: string) => ({ type: 'del', key }) as const;

const readAll = async (db: OutboxDatabase): Promise<OutboxEntry[]> => {
  const entries: OutboxEntry[] = [];
  for await (const [key, stored] of db.iterator(ENTRIES)) entries.push(decodeEntry(Number(key), stored));
  return entries;
};

const toAcceptedMs = ({ record }: OutboxEntry): number => Date.parse(record.timestamp_accepted);

const REMEDY =
  'Nothing was changed. Restore a backup, or move the outbox directory away, which loses records that were answered PENDING and are not on the chain';

const refuseOutbox = (problem: string, cause?: unknown): LedgerError =>
  new LedgerError('OUTBOX_CORRUPT', { message: `The outbox is damaged: ${problem}. ${REMEDY}`, cause });

/**
 * Compares the files of a closed outbox with their checksums: LevelDB would skip damaged records without an error.
 * @throws LedgerError OUTBOX_CORRUPT that names file and byte.
 */
const assertOutboxUndamaged = async (directory: string): Promise<void> => {
  const damage = await findFileDamage(directory);
  if (damage !== undefined) throw refuseOutbox(`${damage.file}, byte ${damage.offset}: ${damage.problem}`);
};

const openOutboxDatabase = async (directory: string): Promise<OutboxDatabase> => {
  await assertOutboxUndamaged(directory);
  return openDatabase(directory, () => new Level<string, Uint8Array>(directory, { valueEncoding: 'view' }));
};

const toChecksum = (text: string): string => crc32(text).toString(16);

const encodeChecked = (text: string): Uint8Array => Buffer.from(`${text} ${toChecksum(text)}`);

/** The text of a stored value; undefined when its checksum is wrong. */
const decodeChecked = (stored: Uint8Array): string | undefined => {
  const [text = '', checksum] = Buffer.from(stored).toString('utf8').split(' ');
  return checksum === toChecksum(text) ? text : undefined;
};

const readNewestMs = async (db: OutboxDatabase): Promise<number> => {
  const stored = await db.get(NEWEST_KEY);
  if (stored === undefined) return Number.NEGATIVE_INFINITY;
  // Older versions wrote no checksum.
  const text = decodeChecked(stored) ?? Buffer.from(stored).toString('utf8');
  if (isTimestamp(text)) return Date.parse(text);
  throw refuseOutbox(`${NEWEST_KEY} has a wrong checksum`);
};

const encodeBlockNumber = (blockNumber: number): Uint8Array => encodeChecked(String(blockNumber));

const toBlockPuts = (blockNumber: number): BatchOperation[] =>
  blockNumber === 0 ? [] : [{ type: 'put', key: COMMITTED_BLOCK_KEY, value: encodeBlockNumber(blockNumber) }];

const decodeBlockNumber = (stored: Uint8Array | undefined): number => {
  if (stored === undefined) return 0;
  const number = decodeChecked(stored);
  if (number !== undefined) return Number(number);
  throw refuseOutbox(`${COMMITTED_BLOCK_KEY} has a wrong checksum`);
};

// The newest time of acceptance ever: it stays when entries are removed.
const createNewest = () => {
  let newestMs = Number.NEGATIVE_INFINITY;
  return {
    read: (): number | undefined => (Number.isFinite(newestMs) ? newestMs : undefined),
    raise: (...timesMs: readonly number[]): void => {
      newestMs = Math.max(newestMs, ...timesMs);
    },
    toPuts: (): BatchOperation[] =>
      Number.isFinite(newestMs) ? [{ type: 'put', key: NEWEST_KEY, value: encodeChecked(toTimestamp(newestMs)) }] : [],
  };
};

const encodeNonce = ({ address, nonce }: AccountNonce): Uint8Array => encodeChecked(`${address}:${nonce}`);

const decodeNonce = (stored: Uint8Array | undefined): AccountNonce | undefined => {
  if (stored === undefined) return undefined;
  const text = decodeChecked(stored);
  if (text === undefined) throw refuseOutbox(`${HIGHEST_NONCE_KEY} has a wrong checksum`);
  const [address, nonce] = text.split(':');
  return { address: address as Hex, nonce: Number(nonce) };
};

// The highest nonce of the account that was noted last.
const createHighestNonce = () => {
  let highest: AccountNonce | undefined;
  return {
    read: (): AccountNonce | undefined => highest,
    set: (account: AccountNonce | undefined): void => {
      highest = account;
    },
    covers: (account: AccountNonce): boolean =>
      isAhead(highest, account) || (highest?.address === account.address && highest.nonce === account.nonce),
    toPuts: (): BatchOperation[] =>
      highest === undefined ? [] : [{ type: 'put', key: HIGHEST_NONCE_KEY, value: encodeNonce(highest) }],
  };
};

// The differences between disk and memory: a refused write may be on the disk all the same, and a failed removal was
// not done.
const findRepairs = async (
  db: OutboxDatabase,
  readEntries: () => readonly OutboxEntry[],
): Promise<{ operations: BatchOperation[]; lost: number }> => {
  const stored = new Map(await db.iterator(ENTRIES).all());
  const puts = readEntries().map(toPut);
  const missing = puts.filter(({ key, value }) => Buffer.compare(stored.get(key) ?? new Uint8Array(0), value) !== 0);
  const kept = new Set(puts.map(({ key }) => key));
  const surplus = [...stored.keys()].filter((key) => !kept.has(key));
  return { operations: [...missing, ...surplus.map(toDel)], lost: missing.length };
};

/**
 * Opens the database of a directory. Rejects with OUTBOX_CORRUPT when one of its files is damaged, before LevelDB opens
 * it.
 */
export const openOutboxStore = async (directory: string): Promise<OutboxStore> => {
  const db = await openOutboxDatabase(directory);
  const newest = createNewest();
  const highestNonce = createHighestNonce();
  let committedBlock = await db
    .get(COMMITTED_BLOCK_KEY)
    .then(decodeBlockNumber)
    .catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
  const writes = createOutboxWrites(directory);
  return {
    readAll: async () => {
      const entries = await readAll(db);
      newest.raise(await readNewestMs(db), ...entries.map(toAcceptedMs));
      highestNonce.set(decodeNonce(await db.get(HIGHEST_NONCE_KEY)));
      return entries;
    },
    newestAcceptedMs: newest.read,
    highestNonce: highestNonce.read,
    isNoted: highestNonce.covers,
    // The lower of two must not be written last.
    noteNonce: async (account) => {
      const isNoted = (): boolean => highestNonce.covers(account);
      await writes.write(() => (isNoted() ? undefined : db.put(HIGHEST_NONCE_KEY, encodeNonce(account), SYNCED)));
      if (!isNoted()) highestNonce.set(account);
    },
    write: (entries) => {
      newest.raise(...entries.map(toAcceptedMs));
      return writes.write(() => db.batch([...entries.map(toPut), ...newest.toPuts()], SYNCED));
    },
    remove: (entries, blockNumber) => {
      committedBlock = Math.max(committedBlock, blockNumber);
      const removals = entries.map(({ sequence }) => toDel(toSequenceKey(sequence)));
      return writes.write(() => db.batch([...removals, ...toBlockPuts(committedBlock)], SYNCED));
    },
    reopen: (readEntries) =>
      writes.reopen(async () => {
        await assertDiskSpace(directory);
        await db.close();
        await reopenDatabase(db, directory);
        const { operations, lost } = await findRepairs(db, readEntries);
        const marks = [...newest.toPuts(), ...highestNonce.toPuts(), ...toBlockPuts(committedBlock)];
        await db.batch([...operations, ...marks], SYNCED);
        return lost;
      }),
    copyTo: async (target) => {
      await copyDatabase(db, target);
    },
    close: () => db.close(),
  };
};

/**
 * The newest block with a record of this outbox, which must be closed; 0 when there is none. The embedded chain's
 * journal contains that block, unless it has lost it. Changes no file. Rejects with OUTBOX_CORRUPT.
 */
export const readCommittedBlock = async (directory: string): Promise<number> => {
  await assertOutboxUndamaged(directory);
  return decodeBlockNumber(await readEntry(directory, Buffer.from(COMMITTED_BLOCK_KEY)));
};

/** Sets that block to the newest one of a repaired chain, durably. */
export const writeCommittedBlock = async (directory: string, blockNumber: number): Promise<void> => {
  const db = await openOutboxDatabase(directory);
  await db.put(COMMITTED_BLOCK_KEY, encodeBlockNumber(blockNumber), SYNCED).finally(() => db.close());
};

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
import { type BatchOperation, createOutboxWrites } from './outboxWrites.ts';

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
  /** Resolves when the entries are on the disk. `prepare` is called when their batch begins, and returns them. */
  write(prepare: () => readonly OutboxEntry[]): Promise<void>;
  /**
   * Removes entries. Resolves when that is on the disk, with what was noted: after a power failure, unsynced data
   * before a synced entry could not be distinguished from damage.
   */
  remove(entries: readonly OutboxEntry[]): Promise<void>;
  /**
   * Notes entries whose records are on the chain, in `blockNumber` at the latest, before they are removed. That block
   * and the newest time of acceptance are on the disk with the next batch, or with `writeNoted`.
   */
  note(entries: readonly OutboxEntry[], blockNumber: number): void;
  /** Resolves when what was noted, and all before it, is on the disk. */
  writeNoted(): Promise<void>;
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
const toMark = (key: string, value: Uint8Array) => ({ type: 'put', key, value }) as const;

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

const decodeBlockNumber = (stored: Uint8Array | undefined): number => {
  if (stored === undefined) return 0;
  const number = decodeChecked(stored);
  if (number !== undefined) return Number(number);
  throw refuseOutbox(`${COMMITTED_BLOCK_KEY} has a wrong checksum`);
};

// The newest time of acceptance ever, and the newest block with a record of an entry that has left the outbox. Both
// stay when entries are removed.
const createMarks = () => {
  let newestMs = Number.NEGATIVE_INFINITY;
  let committedBlock = 0;
  let areNew = false;
  const toPuts = (): BatchOperation[] => [
    ...(Number.isFinite(newestMs) ? [toMark(NEWEST_KEY, encodeChecked(toTimestamp(newestMs)))] : []),
    ...(committedBlock > 0 ? [toMark(COMMITTED_BLOCK_KEY, encodeBlockNumber(committedBlock))] : []),
  ];
  return {
    newestMs: (): number | undefined => (Number.isFinite(newestMs) ? newestMs : undefined),
    raiseTime: (...timesMs: readonly number[]): void => {
      const raised = Math.max(newestMs, ...timesMs);
      areNew ||= raised > newestMs;
      newestMs = raised;
    },
    raiseBlock: (blockNumber: number): void => {
      areNew ||= blockNumber > committedBlock;
      committedBlock = Math.max(committedBlock, blockNumber);
    },
    toPuts,
    /** Those that no batch has had. */
    takeNewPuts: (): BatchOperation[] => {
      const puts = areNew ? toPuts() : [];
      areNew = false;
      return puts;
    },
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

// The highest nonce of the account that was noted last: on the disk, and in the batch that is being written.
const createHighestNonce = () => {
  let highest: AccountNonce | undefined;
  let writing: AccountNonce | undefined;
  const isCovered = (account: AccountNonce, known: AccountNonce | undefined): boolean =>
    isAhead(known, account) || (known?.address === account.address && known.nonce === account.nonce);
  const toPuts = (account: AccountNonce | undefined): BatchOperation[] =>
    account === undefined ? [] : [toMark(HIGHEST_NONCE_KEY, encodeNonce(account))];
  return {
    read: (): AccountNonce | undefined => highest,
    set: (account: AccountNonce | undefined): void => {
      highest = account;
      writing = account;
    },
    covers: (account: AccountNonce): boolean => isCovered(account, highest),
    /** The lower of two nonces must not be written last. */
    begin: (account: AccountNonce): BatchOperation[] => {
      if (isCovered(account, writing)) return [];
      writing = account;
      return toPuts(account);
    },
    /** The batch of an account that `begin` got is durable. */
    complete: (account: AccountNonce): void => {
      if (!isCovered(account, highest)) highest = account;
    },
    /** The batch has failed. */
    abandon: (): void => {
      writing = highest;
    },
    toPuts: (): BatchOperation[] => toPuts(highest),
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
  await using opened = new AsyncDisposableStack();
  const db = opened.adopt(await openOutboxDatabase(directory), (open) => open.close());
  const marks = createMarks();
  const highestNonce = createHighestNonce();
  marks.raiseBlock(decodeBlockNumber(await db.get(COMMITTED_BLOCK_KEY)));
  const writes = createOutboxWrites(directory, (operations) => db.batch([...operations], SYNCED));
  opened.move();
  const toWrites = (entries: readonly OutboxEntry[]): BatchOperation[] => {
    if (entries.length > 0) marks.raiseTime(...entries.map(toAcceptedMs));
    return [...entries.map(toPut), ...marks.takeNewPuts()];
  };
  const noteNonce = async (account: AccountNonce): Promise<void> => {
    try {
      await writes.write(() => highestNonce.begin(account));
      highestNonce.complete(account);
    } catch (cause) {
      highestNonce.abandon();
      throw cause;
    }
  };
  return {
    readAll: async () => {
      const entries = await readAll(db);
      marks.raiseTime(await readNewestMs(db), ...entries.map(toAcceptedMs));
      marks.takeNewPuts();
      highestNonce.set(decodeNonce(await db.get(HIGHEST_NONCE_KEY)));
      return entries;
    },
    newestAcceptedMs: marks.newestMs,
    highestNonce: highestNonce.read,
    isNoted: highestNonce.covers,
    noteNonce,
    write: (prepare) => writes.write(() => toWrites(prepare())),
    remove: (entries) => {
      const removals = entries.map(({ sequence }) => toDel(toSequenceKey(sequence)));
      return writes.write(() => [...removals, ...marks.takeNewPuts()]);
    },
    note: (entries, blockNumber) => {
      marks.raiseTime(...entries.map(toAcceptedMs));
      marks.raiseBlock(blockNumber);
    },
    reopen: (readEntries) =>
      writes.reopen(async () => {
        await assertDiskSpace(directory);
        await db.close();
        await reopenDatabase(db, directory);
        const { operations, lost } = await findRepairs(db, readEntries);
        await db.batch([...operations, ...marks.toPuts(), ...highestNonce.toPuts()], SYNCED);
        return lost;
      }),
    copyTo: async (target) => {
      await copyDatabase(db, target);
    },
    writeNoted: () => writes.write(marks.takeNewPuts),
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

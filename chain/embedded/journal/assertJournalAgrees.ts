// Compares a journal with everything else that has blocks of its chain: the copy of its newest blocks, the index, the
// outbox. A journal that lacks a block that another has must have lost it, and a chain with lost blocks must not start.
// Only reads files, before any database is opened.
import { createHash } from 'node:crypto';
import { findFileDamage } from '../../leveldb/fileDamage.ts';
import { readEntries, readLevelManifest } from '../../leveldb/readEntries.ts';
import type { BlockRef } from '../../port.ts';
import { decodeGenesis } from '../genesis.ts';
import { decodeCopyKey } from './blockLogs.ts';
import { assertJournalUndamaged } from './journal.ts';
import { decodeBlock, decodeBlockKey, encodeBlockKey, NEWEST_BLOCK_KEY, refuseJournal } from './journalBlock.ts';
import { decodeCopied, RECENT_BLOCKS } from './recentBlocks.ts';

/** A block that is on the chain according to something other than the journal. */
export interface KnownBlock extends Pick<BlockRef, 'number'>, Partial<Pick<BlockRef, 'hash'>> {
  /** Where it is known from: `the index`. */
  readonly source: string;
}

interface StoredBlock extends BlockRef {
  /** SHA-256 of all bytes of its entry. */
  readonly digest: string;
}

const COPY = 'the copy of the newest blocks';

const toStoredBlock = (key: Uint8Array, value: Uint8Array): StoredBlock => {
  const number = decodeBlockKey(key);
  const { hash } = number === 0 ? decodeGenesis(value) : decodeBlock(number, value);
  return { number, hash, digest: createHash('sha256').update(value).digest('hex') };
};

const readBlocks = async (directory: string, first: number, last = NEWEST_BLOCK_KEY): Promise<StoredBlock[]> => {
  const range = { smallest: encodeBlockKey(first), largest: last };
  const entries = await readEntries(directory, range, (value, key) => toStoredBlock(key, value));
  return entries.map(({ value }) => value);
};

const readBlock = async (directory: string, number: number): Promise<StoredBlock | undefined> =>
  (await readBlocks(directory, number, encodeBlockKey(number)))[0];

const readNewestFrom = async (directory: string, first: number): Promise<number | undefined> => {
  const range = { smallest: encodeBlockKey(first), largest: NEWEST_BLOCK_KEY };
  const newest = (await readEntries(directory, range, () => true)).at(-1);
  return newest && decodeBlockKey(newest.key);
};

/**
 * Number of the newest block in a database; undefined when it has none, not even a genesis. Reads no table before the
 * last one, where that is possible.
 */
const readNewestNumber = async (directory: string): Promise<number | undefined> => {
  const live = await readLevelManifest(directory);
  const numbers = [...(live?.keyRanges.values() ?? [])].map(({ largest }) => decodeCopyKey(largest));
  // A copy may have logs of the block after its newest one.
  const first = Math.max(0, ...numbers.map((number) => number - 1));
  return (await readNewestFrom(directory, first)) ?? readNewestFrom(directory, 0);
};

interface CopiedBlocks {
  /** Those that are undamaged. */
  readonly blocks: readonly StoredBlock[];
  /** Number of the newest block, damaged or not; 0 when there is none. */
  readonly newest: number;
  readonly isThere: boolean;
}

const readCopied = async (directory: string, smallest: Uint8Array, largest: Uint8Array): Promise<CopiedBlocks> => {
  const entries = await readEntries(directory, { smallest, largest }, (entry, key) => {
    const value = decodeCopied(key, entry);
    return { block: value && toStoredBlock(key, value) };
  });
  const blocks = entries.flatMap(({ value: { block } }) => (block === undefined ? [] : [block]));
  const last = entries.at(-1);
  return { blocks, newest: last === undefined ? 0 : decodeBlockKey(last.key), isThere: last !== undefined };
};

// A copy with a damaged file proves nothing.
const UNUSABLE: CopiedBlocks = { blocks: [], newest: 0, isThere: true };

const readCopy = async (directory: string): Promise<CopiedBlocks> =>
  (await findFileDamage(directory)) === undefined
    ? readCopied(directory, encodeBlockKey(0), NEWEST_BLOCK_KEY)
    : UNUSABLE;

// The genesis and the newest block of the copy.
const readEndsOfCopy = async (directory: string): Promise<CopiedBlocks> => {
  if ((await findFileDamage(directory)) !== undefined) return UNUSABLE;
  const newest = await readNewestNumber(directory);
  if (newest === undefined) return { blocks: [], newest: 0, isThere: false };
  const ends = await Promise.all(
    [0, newest].map((number) => readCopied(directory, encodeBlockKey(number), encodeBlockKey(number))),
  );
  return { blocks: ends.flatMap(({ blocks }) => blocks), newest, isThere: true };
};

const assertReached = (lastNumber: number, { source, number }: Pick<KnownBlock, 'source' | 'number'>): void => {
  if (number <= lastNumber) return;
  throw refuseJournal(
    `it ends at block ${lastNumber}, and ${source} has block ${number}; block ${lastNumber + 1} is the first that is missing`,
  );
};

const assertNoneKnown = ([first]: readonly Pick<KnownBlock, 'source'>[]): void => {
  if (first === undefined) return;
  throw refuseJournal(`it is empty, and ${first.source} has blocks of a chain; block 0 is the first that is missing`);
};

const assertHash = async (directory: string, { source, number, hash }: KnownBlock): Promise<void> => {
  const found = (await readBlock(directory, number))?.hash;
  if (hash === undefined || found === undefined || found === hash) return;
  throw refuseJournal(`block ${number} has the hash ${found}, and ${source} has it with the hash ${hash}`);
};

const assertSameAsCopy = async (directory: string, copied: readonly StoredBlock[], lastNumber: number) => {
  const first = Math.max(1, lastNumber - RECENT_BLOCKS + 1);
  const digests = new Map(copied.map(({ number, digest }) => [number, digest]));
  for (const { number, digest } of await readBlocks(directory, first)) {
    if ((digests.get(number) ?? digest) !== digest) throw refuseJournal(`block ${number} differs from ${COPY}`);
  }
  const [genesis] = copied;
  if (genesis?.number === 0) await assertHash(directory, { source: COPY, number: 0, hash: genesis.hash });
};

// Resolves with the number of the journal's newest block; undefined when journal, copy and `knownBlocks` have none.
const assertJournalEnds = async (
  directory: string,
  copy: CopiedBlocks,
  knownBlocks: readonly KnownBlock[],
): Promise<number | undefined> => {
  const lastNumber = await readNewestNumber(directory);
  if (lastNumber === undefined) {
    assertNoneKnown([...(copy.isThere ? [{ source: COPY }] : []), ...knownBlocks]);
    return undefined;
  }
  for (const witness of [...knownBlocks, { source: COPY, number: copy.newest }]) assertReached(lastNumber, witness);
  for (const known of knownBlocks) await assertHash(directory, known);
  return lastNumber;
};

/**
 * Compares the closed journal of a directory with `knownBlocks`, and with genesis and newest block of the copy of its
 * newest blocks. The hash of a block covers all blocks before it, and a replay computes all hashes again.
 * @throws LedgerError CHAIN_CORRUPT that names file and byte of a damaged file, the first missing block, or one that
 * differs.
 */
export const assertJournalEndsAgree = async (
  directory: string,
  copyDirectory: string,
  knownBlocks: readonly KnownBlock[],
): Promise<void> => {
  await assertJournalUndamaged(directory);
  const copy = await readEndsOfCopy(copyDirectory);
  const lastNumber = await assertJournalEnds(directory, copy, knownBlocks);
  if (lastNumber === undefined) return;
  for (const { number, hash } of copy.blocks) await assertHash(directory, { source: COPY, number, hash });
};

/**
 * The same, with all blocks of the copy.
 * @throws LedgerError CHAIN_CORRUPT that names file and byte of a damaged file, the first missing block, or the first
 * that differs.
 */
export const assertJournalAgrees = async (
  directory: string,
  copyDirectory: string,
  knownBlocks: readonly KnownBlock[],
): Promise<void> => {
  await assertJournalUndamaged(directory);
  const copy = await readCopy(copyDirectory);
  const lastNumber = await assertJournalEnds(directory, copy, knownBlocks);
  if (lastNumber !== undefined) await assertSameAsCopy(directory, copy.blocks, lastNumber);
};

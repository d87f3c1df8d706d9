// Repairs the chain of a data directory that nobody has open: first with identical blocks from journal and copy, then by appending records of the
// index again, and else it says what is lost. Nothing is removed, and a repair that was cut off begins again where it was.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFileDamage } from '../chain/databaseFiles/checkFiles.ts';
import { createEmbeddedChain } from '../chain/embedded/embeddedChain.ts';
import { openJournal } from '../chain/embedded/journal.ts';
import { openSalvage, type Salvage, writeRestored } from '../chain/embedded/salvage.ts';
import { readSettledBlock, writeSettledBlock } from '../chain/outboxStore.ts';
import type { BlockRef, RecordLog } from '../chain/port.ts';
import { type InventoryRecord, readRecordsAfter } from '../indexer/inventory.ts';
import { createIndexStore, type IndexStore } from '../indexer/store.ts';
import { LedgerError } from '../ledger/errors.ts';
import { dataPaths } from './config.ts';
import { lockDirectory } from './directoryLock.ts';
import { describeLedger } from './embeddedLedger.ts';
import { openKeyring } from './keyring.ts';
import { writeKnownLedger } from './knownLedger.ts';
import { CHAIN_ID } from './limits.ts';
import type { OnStep } from './openLedger.ts';
import {
  forgetAppending,
  move,
  noteAppendingAfter,
  placeRepairedChain,
  putAside,
  readAppendingAfter,
} from './repairFiles.ts';
import { appendAgain, type LostRecord, sortMissing } from './repairRecords.ts';
import { openTenantWallets } from './tenantWallets.ts';

export interface RepairOptions {
  readonly dataDir: string;
  /** Only says what would be done. */
  readonly isDryRun: boolean;
  /** Goes on although records are lost. */
  readonly acceptsLoss: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStep: OnStep;
}

export interface AppendedRecord {
  readonly record: InventoryRecord;
  /** Undefined in a dry run: it isn't there yet. */
  readonly log: RecordLog | undefined;
}

export interface RepairReport {
  /** Newest block that was restored with the hash that it had. */
  readonly head: BlockRef;
  /** Blocks that came from the copy, because the journal did not have them whole. */
  readonly fromCopy: number;
  /** Newest block that anything in the directory knows. */
  readonly newestKnown: number;
  readonly appended: readonly AppendedRecord[];
  readonly lost: readonly LostRecord[];
  /** Blocks that were there, and of whose content nothing is known any more. */
  readonly unexplained: number;
  /** Whether anything was changed. */
  readonly isChanged: boolean;
  /** Where what was replaced is kept. */
  readonly keptAside: readonly string[];
}

interface Examined {
  readonly head: BlockRef;
  readonly fromCopy: number;
  readonly newestKnown: number;
  /** Whether the journal as it is gives just this chain. */
  readonly isJournalWhole: boolean;
}

// The index must be of this chain as far as both go.
const assertSameChain = (cursor: BlockRef | undefined, made: BlockRef): void => {
  if (cursor?.number !== made.number || cursor.hash === made.hash) return;
  const message = `block ${made.number} has the hash ${made.hash}, and the index knows it as ${cursor.hash}: they are of two histories; restore a backup`;
  throw new LedgerError('CHAIN_CORRUPT', { message });
};

const toRef = (store: IndexStore): BlockRef | undefined => {
  const cursor = store.readCursor();
  return cursor && { number: cursor.blockNumber, hash: cursor.blockHash };
};

/** What the directory knows of the chain besides journal and copy. */
interface KnownHead {
  readonly cursor: BlockRef | undefined;
  /** Newest block of which the outbox saw a record. */
  readonly settledBlock: number;
}

const examine = async (
  salvage: Salvage,
  { cursor, settledBlock }: KnownHead,
  { dataDir, isDryRun, onStep }: RepairOptions,
): Promise<Examined> => {
  const { repairedChain } = dataPaths(dataDir);
  const building = `${repairedChain}.tmp`;
  await rm(building, { recursive: true, force: true });
  const title = 'replaying the chain';
  const onBlock = (block: BlockRef): void => {
    assertSameChain(cursor, block);
    onStep({ title, unit: 'blocks', done: block.number, total: salvage.newest });
  };
  const newestKnown = Math.max(salvage.newest, cursor?.number ?? 0, settledBlock);
  const replay = async () => {
    if (isDryRun) return salvage.replay(async (block) => onBlock(block));
    const journal = await openJournal(building);
    return writeRestored(journal, salvage, onBlock).finally(journal.close);
  };
  const replayed = await replay();
  const isJournalWhole = replayed.fromCopy === 0 && salvage.wholeJournalNewest === newestKnown;
  return { ...replayed, newestKnown, isJournalWhole };
};

interface Gap {
  readonly afterBlock: number;
  readonly records: readonly InventoryRecord[];
}

// Runs on the restored chain, which is in its place.
const appendMissing = async ({ afterBlock, records }: Gap, { dataDir, now, onStep }: RepairOptions) => {
  const { chain: directory, keys, index, outbox, recentBlocks } = dataPaths(dataDir);
  await noteAppendingAfter(dataDir, afterBlock);
  const keyring = await openKeyring(keys);
  const keptAside = [await putAside(recentBlocks, now())];
  await using opened = new AsyncDisposableStack();
  const chain = opened.adopt(await createEmbeddedChain({ directory, chainId: CHAIN_ID, now }), ({ close }) => close());
  const onAppended = (done: number, total: number): void =>
    onStep({ title: 'appending records again', unit: 'records', done, total });
  const { deployment, placeOf } = await appendAgain(chain, keyring, { records, afterBlock }, onAppended);
  const administrator = await keyring.requireWallet('ledger-administrator');
  await writeKnownLedger(dataDir, 'embedded', await describeLedger(chain, administrator, deployment));
  keptAside.push(await putAside(index, now()));
  await writeSettledBlock(outbox, (await chain.fetchFinalHead()).number);
  await forgetAppending(dataDir);
  return { places: records.map((record) => ({ record, log: placeOf(record) })), keptAside };
};

const REFUSED = 'the contract does not take it again';

const readGap = async (store: IndexStore, { head }: Examined, dataDir: string): Promise<Gap> => {
  const afterBlock = (await readAppendingAfter(dataDir)) ?? head.number;
  return { afterBlock, records: await readRecordsAfter(store, afterBlock) };
};

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

// Only a whole chain has this name.
const finishChain = async (dataDir: string, nowMs: number): Promise<string | undefined> => {
  const { repairedChain } = dataPaths(dataDir);
  await move(`${repairedChain}.tmp`, repairedChain);
  return placeRepairedChain(dataDir, nowMs);
};

type Plan = Omit<RepairReport, 'appended' | 'isChanged' | 'keptAside'> & {
  readonly gap: Gap;
  readonly isJournalWhole: boolean;
};

const makePlan = async (options: RepairOptions, salvage: Salvage, store: IndexStore) => {
  const { dataDir } = options;
  const isContinued = (await readAppendingAfter(dataDir)) !== undefined;
  const cursor = toRef(store);
  // A repair that goes on has changed the chain already.
  const known = isContinued
    ? { cursor: undefined, settledBlock: 0 }
    : { cursor, settledBlock: await readSettledBlock(dataPaths(dataDir).outbox) };
  const examined = await examine(salvage, known, options);
  const gap = await readGap(store, examined, dataDir);
  const { appendable, lost } = sortMissing(
    gap.records,
    await openTenantWallets(await openKeyring(dataPaths(dataDir).keys)),
  );
  const { head, fromCopy, newestKnown } = examined;
  const unexplained = Math.max(0, newestKnown - Math.max(head.number, cursor?.number ?? 0));
  const isJournalWhole = examined.isJournalWhole;
  return {
    head,
    fromCopy,
    newestKnown,
    unexplained,
    lost,
    gap: { ...gap, records: appendable },
    isJournalWhole,
    isContinued,
  };
};

const carryOut = async (
  options: RepairOptions,
  { gap, isJournalWhole, ...report }: Plan,
  store: IndexStore,
  isContinued: boolean,
): Promise<RepairReport> => {
  const { dataDir, now } = options;
  const placed = isJournalWhole ? undefined : await finishChain(dataDir, now());
  const aside = [placed].filter(isDefined);
  if (
    !isContinued &&
    report.newestKnown === report.head.number &&
    gap.records.length === 0 &&
    report.lost.length === 0
  ) {
    return { ...report, appended: [], isChanged: !isJournalWhole, keptAside: aside };
  }
  await store.close();
  const { places, keptAside } = await appendMissing(gap, options);
  const refused = places.filter(({ log }) => log === undefined).map(({ record }) => ({ record, reason: REFUSED }));
  return {
    ...report,
    appended: places.filter(({ log }) => log !== undefined),
    lost: [...report.lost, ...refused],
    isChanged: true,
    keptAside: [...aside, ...keptAside.filter(isDefined)],
  };
};

// The index is opened as it is, unless its files are damaged: then a copy is.
const openIndexOf = async (dataDir: string, opened: AsyncDisposableStack): Promise<IndexStore> => {
  const { index } = dataPaths(dataDir);
  let directory = index;
  if ((await findFileDamage(index)) !== undefined) {
    directory = await mkdtemp(join(tmpdir(), 'provenance-index-'));
    opened.defer(() => rm(directory, { recursive: true, force: true }));
    await cp(index, directory, { recursive: true });
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return opened.adopt(await createIndexStore(directory), ({ close }) => close());
};

/**
 * Repairs, or in a dry run only examines, the ledger of the embedded chain of a data directory.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has the directory open, CHAIN_CORRUPT when the genesis is lost, or when there are two
 * histories; then nothing was changed.
 */
export const repairLedger = async (options: RepairOptions): Promise<RepairReport> => {
  const { dataDir, isDryRun, acceptsLoss, now } = options;
  const { chain, recentBlocks, repairedChain } = dataPaths(dataDir);
  await using opened = new AsyncDisposableStack();
  opened.defer(await lockDirectory(dataDir));
  if (!isDryRun) await placeRepairedChain(dataDir, now());
  const journal = existsSync(repairedChain) ? repairedChain : chain;
  const salvage = opened.adopt(await openSalvage({ journal, copy: recentBlocks }), ({ close }) => close());
  const store = await openIndexOf(dataDir, opened);
  opened.defer(() => rm(`${repairedChain}.tmp`, { recursive: true, force: true }));
  const { isContinued, ...plan } = await makePlan(options, salvage, store);
  const isLoss = plan.lost.length > 0 || plan.unexplained > 0;
  if (!isDryRun && (!isLoss || acceptsLoss)) return carryOut(options, plan, store, isContinued);
  const { gap, isJournalWhole: _, ...report } = plan;
  const appended = gap.records.map((record) => ({ record, log: undefined }));
  return { ...report, appended, isChanged: false, keptAside: [] };
};

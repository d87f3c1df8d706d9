// Repairs the chain of a data directory that no process has open: restores identical blocks from journal and copy,
// appends the known records of the missing blocks again, and reports what is lost. All of it happens on a new chain
// beside the old one, which replaces the old one when it is complete. So an interrupted repair has changed nothing, or
// only has to be finished.
import { rm } from 'node:fs/promises';
import { toLedgerAddress } from '../../chain/administration.ts';
import { createEmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { openJournal } from '../../chain/embedded/journal/journal.ts';
import { openSalvage, type Salvage, writeRestored } from '../../chain/embedded/journal/salvage.ts';
import type { BlockRef } from '../../chain/port.ts';
import { openTemporaryDirectory } from '../../chain/temporaryDirectory.ts';
import { readCommittedBlock } from '../../chain/writing/outboxStore.ts';
import type { RecordKeys } from '../../indexer/inventory.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toKey, toTenantIdentity } from '../../ledger/identity.ts';
import { limitCachedStates } from '../cachedStates.ts';
import { describeLedger } from '../embeddedLedger.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { lockDirectory } from '../files/directoryLock.ts';
import { type Keyring, openKeyring } from '../keyring.ts';
import { readKnownLedger } from '../knownLedger.ts';
import type { OnStep } from '../ledgerOptions.ts';
import { CHAIN_ID } from '../settings/installationLimits.ts';
import { findTenantUuid } from '../wallets/tenantWallets.ts';
import { type Appendix, finishRepair, hasRepairedChain, placeRepair } from './repairFiles.ts';
import { type Gap, readGap, type TenantsByKey, type UnexplainedBlocks } from './repairGap.ts';
import { openSalvagedIndex, type SalvagedIndex } from './repairIndex.ts';
import { type AppendedRecord, appendGap, type LostRecord, type OtherBlock } from './repairRecords.ts';

export interface RepairOptions {
  readonly dataDir: string;
  /** Only reports what would be done. */
  readonly isDryRun: boolean;
  /** Continues even if records are lost. */
  readonly acceptsLoss: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onStep: OnStep;
}

export interface RepairReport {
  /** Newest block that was restored with its original hash. */
  readonly head: BlockRef;
  /** Blocks that came from the copy, because the journal had them damaged or not at all. */
  readonly fromCopy: number;
  /** Newest block that any part of the directory names. */
  readonly newestKnown: number;
  readonly appended: readonly AppendedRecord[];
  readonly lost: readonly LostRecord[];
  /** Records that a damaged index names, and that no other part of the directory has. */
  readonly lostNames: readonly RecordKeys[];
  /** Missing blocks whose content is not completely known. */
  readonly unexplained: readonly UnexplainedBlocks[];
  /** Missing blocks without records. */
  readonly others: readonly OtherBlock[];
  /** The damage of the index; undefined when there is none, or when the index was not needed. */
  readonly indexDamage: string | undefined;
  /** Whether anything was changed. */
  readonly isChanged: boolean;
  /** Paths of the replaced files. */
  readonly keptAside: readonly string[];
}

interface Examined {
  readonly head: BlockRef;
  readonly fromCopy: number;
  readonly newestKnown: number;
  /** Whether the unchanged journal has exactly this chain. */
  readonly isJournalComplete: boolean;
}

interface Sources {
  readonly salvage: Salvage;
  readonly index: SalvagedIndex;
  readonly keyring: Keyring;
}

// Index and chain must agree at the index's newest block.
const assertSameChain = ({ cursor }: SalvagedIndex, made: BlockRef): void => {
  if (cursor?.blockNumber !== made.number || cursor.blockHash === made.hash) return;
  const message = `block ${made.number} has the hash ${made.hash}, and the index knows it as ${cursor.blockHash}: they are of two histories; restore a backup`;
  throw new LedgerError('CHAIN_CORRUPT', { message });
};

/** Creates in `building` the chain of all blocks that can be restored with their original hash. */
const restore = async (
  { salvage, index }: Sources,
  building: string,
  { dataDir, onStep }: RepairOptions,
): Promise<Examined> => {
  const onBlock = (block: BlockRef): void => {
    assertSameChain(index, block);
    onStep({ title: 'replaying the chain', unit: 'blocks', done: block.number, total: salvage.newest });
  };
  const committedBlock = await readCommittedBlock(dataPaths(dataDir).outbox);
  const newestKnown = Math.max(salvage.newest, index.cursor?.blockNumber ?? 0, committedBlock);
  const journal = await openJournal(building);
  const restored = await writeRestored(journal, salvage, onBlock).finally(journal.close);
  const { head, fromCopy } = restored;
  const isJournalComplete =
    fromCopy === 0 && head.number === newestKnown && salvage.undamagedJournalNewest === newestKnown;
  return { ...restored, newestKnown, isJournalComplete };
};

const readTenants = async (keyring: Keyring): Promise<TenantsByKey> => {
  const uuids = (await keyring.listWallets()).flatMap((name) => findTenantUuid(name) ?? []);
  return new Map(uuids.map(toTenantIdentity).map((identity) => [toHex(toKey(identity)), identity]));
};

const readGapOf = async (sources: Sources, { head, newestKnown }: Examined): Promise<[Gap, Hex]> => {
  const contract = toLedgerAddress(await sources.keyring.requireWallet('ledger-administrator'));
  const tenants = await readTenants(sources.keyring);
  return [await readGap(sources, { afterBlock: head.number, newestKnown }, { contract, tenants }), contract];
};

type Filled = Pick<RepairReport, 'appended' | 'lost' | 'lostNames' | 'others' | 'unexplained' | 'indexDamage'> & {
  readonly appendix: Appendix | undefined;
};

const NO_GAP: Filled = {
  appended: [],
  lost: [],
  lostNames: [],
  others: [],
  unexplained: [],
  indexDamage: undefined,
  appendix: undefined,
};

/** Appends the known records of the missing blocks to the chain in `building`. */
const fill = async (
  sources: Sources,
  { building, examined }: { building: string; examined: Examined },
  { dataDir, now, onStep }: RepairOptions,
): Promise<Filled> => {
  if (examined.newestKnown === examined.head.number) return NO_GAP;
  const [gap, contract] = await readGapOf(sources, examined);
  await using opened = new AsyncDisposableStack();
  const chain = await createEmbeddedChain({ directory: building, chainId: CHAIN_ID, now });
  opened.defer(chain.close);
  const onDone = (done: number): void =>
    onStep({ title: 'appending records again', unit: 'blocks', done, total: gap.blocks.length });
  const { deployment, ...appended } = await appendGap(chain, sources.keyring, gap, { contract, onDone });
  const administrator = await sources.keyring.requireWallet('ledger-administrator');
  const { issuer } = (await readKnownLedger(dataDir, 'embedded')) ?? {};
  const described = await describeLedger(chain, administrator, deployment);
  const ledger = issuer === undefined ? described : { ...described, issuer };
  const { number: committedBlock } = await chain.fetchFinalHead();
  const { unexplained, indexDamage } = gap;
  return { ...appended, unexplained, indexDamage, appendix: { ledger, committedBlock } };
};

/** Whether records are lost, or may be. */
export const isLoss = ({
  lost,
  lostNames,
  unexplained,
  others,
}: Pick<RepairReport, 'lost' | 'lostNames' | 'unexplained' | 'others'>): boolean =>
  lost.length + lostNames.length + unexplained.length > 0 ||
  others.some(({ reason, isIndexed }) => reason !== undefined && !isIndexed);

const openSources = async (dataDir: string, opened: AsyncDisposableStack): Promise<Sources> => {
  const { chain, recentBlocks, index, keys } = dataPaths(dataDir);
  const salvage = opened.adopt(await openSalvage({ journal: chain, copy: recentBlocks }), ({ close }) => close());
  return {
    salvage,
    index: opened.adopt(await openSalvagedIndex(index), ({ close }) => close()),
    keyring: await openKeyring(keys),
  };
};

// In a dry run nothing is written into the data directory.
const openBuilding = async ({ dataDir, isDryRun }: RepairOptions, opened: AsyncDisposableStack): Promise<string> => {
  const { repairedChain } = dataPaths(dataDir);
  if (isDryRun)
    return opened.adopt(await openTemporaryDirectory('provenance-repaired-'), ({ remove }) => remove()).path;
  const building = `${repairedChain}.tmp`;
  const remove = (): Promise<void> => rm(building, { recursive: true, force: true });
  await remove();
  opened.defer(remove);
  return building;
};

// A repair that was interrupted after its chain was complete only has to be finished.
const finishEarlier = async ({ dataDir, isDryRun, now }: RepairOptions): Promise<string[]> => {
  if (!isDryRun) return finishRepair(dataDir, now());
  if (!hasRepairedChain(dataDir)) return [];
  throw new Error('a repair was interrupted after it had restored the chain; run npm run repair to finish it');
};

/**
 * Repairs, or in a dry run only examines, the ledger of the embedded chain of a data directory.
 * @throws LedgerError CHAIN_UNAVAILABLE when another process has the directory open, CHAIN_CORRUPT when the genesis is
 * lost, or when there are two histories; then nothing was changed.
 */
export const repairLedger = async (options: RepairOptions): Promise<RepairReport> => {
  const { dataDir, isDryRun, acceptsLoss, now } = options;
  await using opened = new AsyncDisposableStack();
  opened.defer(await lockDirectory(dataDir));
  const finished = await finishEarlier(options);
  limitCachedStates();
  const sources = await openSources(dataDir, opened);
  const building = await openBuilding(options, opened);
  const { isJournalComplete, ...examined } = await restore(sources, building, options);
  const { appendix, ...filled } = await fill(
    sources,
    { building, examined: { ...examined, isJournalComplete } },
    options,
  );
  const isPlaced = !isDryRun && !isJournalComplete && (acceptsLoss || !isLoss(filled));
  const aside = isPlaced ? await placeRepair(dataDir, { building, appendix }, now()) : [];
  const keptAside = [...finished, ...aside];
  const appended = isPlaced ? filled.appended : filled.appended.map(({ record }) => ({ record, log: undefined }));
  return { ...examined, ...filled, appended, isChanged: isPlaced || finished.length > 0, keptAside };
};

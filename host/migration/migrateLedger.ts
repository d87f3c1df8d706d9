// Copies the ledger of a data directory of version 0.1 into a new directory: keys, files and every record. The new
// chain has the next chain id, so that no transaction of the old one is valid on it, and the old issuer, so that tokens
// and principals stay valid. The copy is made beside its place, and moved there when it has been compared with the
// original.
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createEmbeddedChain } from '../../chain/embedded/embeddedChain.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { writeCommittedBlock } from '../../chain/writing/outboxStore.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { copyFolders, createPrivateDirectory, syncTree } from '../backup/backupFiles.ts';
import { checkRestored } from '../backup/restoredLedger.ts';
import { dataPaths } from '../files/dataPaths.ts';
import { lockDirectory } from '../files/directoryLock.ts';
import type { IndexedChain } from '../indexedChain.ts';
import { openKeyring } from '../keyring.ts';
import { readKnownLedger, writeKnownLedger } from '../knownLedger.ts';
import type { OnStep } from '../ledgerOptions.ts';
import { openCoinbase } from '../wallets/embeddedValidator.ts';
import { type CopiedLedger, copyLedger } from './copyLedger.ts';
import { assertPlaces } from './migrationPlaces.ts';
import { openSourceLedger, type SourceLedger } from './sourceLedger.ts';
import { readTenantTrees, type TenantTrees } from './tenantTrees.ts';

/** What a migration did. */
export interface Migration extends CopiedLedger {
  readonly tenants: number;
  /** Records that the old chain had refused: nothing has them any more. */
  readonly failedRecords: number;
  readonly chainId: number;
  readonly contract: Hex;
  /** Keys and files that are missing, which a server can do without. */
  readonly warnings: readonly string[];
}

export interface MigrationOptions {
  /** The data directory of version 0.1. */
  readonly source: string;
  /** The new one, which doesn't exist or is empty. */
  readonly target: string;
  /** Opens the embedded chain of a directory. */
  readonly openChain: (dataDir: string) => Promise<IndexedChain>;
  readonly now: () => number;
  readonly onStep: OnStep;
}

const COPIED = ['keys', 'blobs'] as const;

// An empty chain: a start refuses to begin one beside the keys of a ledger.
const beginChain = async (place: string, chainId: number, now: () => number): Promise<void> => {
  const { chain: directory, keys } = dataPaths(place);
  const keyring = await openKeyring(keys);
  await createPrivateDirectory(directory);
  await (await createEmbeddedChain({ directory, chainId, openCoinbase: () => openCoinbase(keyring), now })).close();
};

const build = async (
  { old, trees }: { old: SourceLedger; trees: TenantTrees },
  building: string,
  { openChain, now, onStep }: MigrationOptions,
): Promise<Migration> => {
  await beginChain(building, old.chainId + 1, now);
  await using opened = new AsyncDisposableStack();
  const target = opened.adopt(await openChain(building), ({ close }) => close());
  if (target.contract !== old.contract) {
    throw new Error(`keys/ledger-administrator.key makes the contract ${target.contract}, not ${old.contract}`);
  }
  const copied = await copyLedger(target, { old, trees, now, onStep });
  await target.follower.catchUp();
  const warnings = await checkRestored(target, dataPaths(building).blobs);
  const { chainId } = target.chain;
  return {
    ...copied,
    tenants: trees.size,
    failedRecords: old.failedRecords,
    chainId,
    contract: old.contract,
    warnings,
  };
};

const migrateInto = async (building: string, options: MigrationOptions): Promise<Migration> => {
  const { source, onStep } = options;
  const [place, copies] = [join(building, 'new'), join(building, 'old')];
  await createPrivateDirectory(place);
  await copyFolders(source, place, COPIED, (done, total) =>
    onStep({ title: 'copying keys and files', unit: 'files', done, total }),
  );
  await using opened = new AsyncDisposableStack();
  const keyring = await openKeyring(dataPaths(place).keys);
  const old = opened.adopt(await openSourceLedger(source, keyring, { copies, onStep }), ({ close }) => close());
  const migration = await build({ old, trees: await readTenantTrees(old.readLogs()) }, place, options);
  await writeCommittedBlock(dataPaths(place).outbox, migration.newestBlock);
  const known = await readKnownLedger(place, 'embedded');
  await writeKnownLedger(place, 'embedded', { ...known!, issuer: old.issuer });
  return migration;
};

// Without that folder no process can have the directory open, and a backup must not get one.
const lockSource = async (source: string): Promise<() => Promise<void>> => {
  if (!existsSync(dataPaths(source).lock)) return async () => undefined;
  try {
    return await lockDirectory(source);
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause;
    throw new Error(`${dataPaths(source).lock} can't be opened: ${(cause as Error).message}`, { cause });
  }
};

/**
 * Copies a ledger of version 0.1, which no server may have open, into a new directory.
 * @throws Error when a place can't be used, when records wait in the old outbox, when a key is missing, or when the
 * old contract gives a role to another key; LedgerError CHAIN_UNAVAILABLE when a process has a directory open,
 * CHAIN_CORRUPT when the chain is damaged. Then there is no new directory, and the old one is unchanged.
 */
export const migrateLedger = async (options: MigrationOptions): Promise<Migration> => {
  const [source, target] = [resolve(options.source), resolve(options.target)];
  const building = `${target}.migrating`;
  await assertPlaces({ source, target, building });
  await using opened = new AsyncDisposableStack();
  opened.defer(await lockSource(source));
  const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });
  await createPrivateDirectory(building);
  const unlock = await lockDirectory(building);
  opened.defer(() => remove(building));
  opened.defer(unlock);
  for (const name of ['new', 'old']) await remove(join(building, name));
  const migration = await migrateInto(building, { ...options, source, target });
  await syncTree(join(building, 'new'));
  await rename(join(building, 'new'), target);
  await syncDirectory(dirname(target));
  return migration;
};

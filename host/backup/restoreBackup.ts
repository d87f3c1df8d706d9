// Creates a data directory from a backup. Everything is checked first: each file by its hash, the chain by its replay,
// keys and blobs against the chain. Until then nothing is where a server would find it.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BlockRef } from '../../chain/port.ts';
import { console } from '../commandProcess.ts';
import { beginNextLog } from '../evidence/nextLog.ts';
import { checkRestoredLog } from '../evidence/restoredLog.ts';
import { createDataDirectory } from '../files/dataDirectory.ts';
import { DATA_PARTS } from '../files/dataParts.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { LedgerChain } from '../indexedChain.ts';
import { openIndexedChainForOperator } from '../operator/ledgerForOperator.ts';
import { createProgress } from '../operator/progress.ts';
import { readConfig } from '../settings/config.ts';
import { copyFile, createPrivateDirectory, type FoundFile, findFiles, isEmpty, syncTree } from './backupFiles.ts';
import { type BackupManifest, MANIFEST_NAME, readBackupManifest } from './backupManifest.ts';
import { checkRestored } from './restoredLedger.ts';

const RESTORED = DATA_PARTS.filter(({ isRestored }) => isRestored).map(({ name }) => name);

const assertSameFiles = (found: readonly FoundFile[], { files }: BackupManifest): void => {
  const names = new Set(found.map(({ path }) => path));
  const missing = Object.keys(files).filter((path) => !names.has(path));
  const foreign = [...names].filter((path) => !Object.hasOwn(files, path));
  if (missing.length > 0) throw new Error(`the backup lacks ${missing[0]} (${missing.length} files in all)`);
  if (foreign.length > 0) throw new Error(`the backup has ${foreign[0]}, which its manifest does not name`);
};

// A content is named by its own hash, so the manifest need not be trusted about it.
const assertSameContent = (path: string, sha256: string | undefined): void => {
  const [folder, ...names] = path.split('/');
  if (folder !== 'blobs' || names.slice(-2).join('') === sha256) return;
  throw new Error(`${path} of the backup has a content that differs from its name's hash`);
};

const copyBackup = async (source: string, directory: string, manifest: BackupManifest): Promise<void> => {
  const found = (await findFiles(source, '.')).filter(({ path }) => path !== MANIFEST_NAME);
  assertSameFiles(found, manifest);
  const onStep = createProgress();
  for (const [at, { path }] of found.entries()) {
    const sha256 = await copyFile(join(source, path), join(directory, path));
    if (sha256 !== manifest.files[path]) throw new Error(`${path} of the backup is damaged`);
    assertSameContent(path, sha256);
    onStep({ title: 'copying the backup', unit: 'files', done: at + 1, total: found.length });
  }
};

// A network may have more blocks by now, and still has the newest block of the backup.
const readEnd = async ({ copyJournalTo, fetchFinalHead, fetchBlockHash }: LedgerChain, { head }: BackupManifest) =>
  copyJournalTo === undefined ? { number: head.number, hash: await fetchBlockHash(head.number) } : fetchFinalHead();

interface Restored {
  readonly head: BlockRef;
  readonly warnings: readonly string[];
  /** What an operator should know of the block log. */
  readonly notes: readonly string[];
}

// Opening replays the chain and compares the hash of each block with the journal, or finds the network; and it builds
// the index.
const checkLedger = async (
  directory: string,
  manifest: BackupManifest,
): Promise<Pick<Restored, 'warnings' | 'notes'>> => {
  const { head } = manifest;
  await using opened = new AsyncDisposableStack();
  const ledger = opened.adopt(await openIndexedChainForOperator(directory), ({ close }) => close());
  const { number, hash } = await readEnd(ledger.chain, manifest);
  if (number !== head.number || hash !== head.hash)
    throw new Error(
      `the chain has block ${number} (${hash}) at its end, not that of the backup: ${head.number} (${head.hash})`,
    );
  const warnings = await checkRestored(ledger, dataPaths(directory).blobs, readConfig().blobsDir);
  return { warnings, notes: await checkRestoredLog(directory, ledger) };
};

const createRestoring = async (dataDir: string): Promise<string> => {
  const { restoring } = dataPaths(dataDir);
  await createDataDirectory(dataDir);
  // Fails when another restore into this directory is in progress.
  await mkdir(restoring, { mode: 0o700 });
  return restoring;
};

const restoreInto = async (dataDir: string, source: string, hasNewLog: boolean): Promise<Restored> => {
  const manifest = await readBackupManifest(source);
  const restoring = await createRestoring(dataDir);
  let checked: Pick<Restored, 'warnings' | 'notes'>;
  const notes: string[] = [];
  try {
    await copyBackup(source, restoring, manifest);
    await createPrivateDirectory(dataPaths(restoring).blobs);
    if (hasNewLog) {
      const { origin } = await beginNextLog(restoring, join(restoring, 'log.before'));
      notes.push(`the block log begins again as ${origin}`);
    }
    checked = await checkLedger(restoring, manifest);
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
  await syncTree(restoring);
  const restored = RESTORED.filter((part) => existsSync(join(restoring, part)));
  for (const part of restored) await rename(join(restoring, part), join(dataDir, part));
  await rm(restoring, { recursive: true });
  return { head: manifest.head, warnings: checked.warnings, notes: [...notes, ...checked.notes] };
};

/**
 * Restores a backup into the data directory (DATA_DIR), which must be empty, and prints warnings about missing parts
 * that a server can do without. With `hasNewLog`, the block log begins again with the next name. After an error nothing
 * stays in the directory.
 * @throws Error when the directory isn't empty, or when anything of the backup is missing, damaged or foreign.
 */
export const restoreBackup = async (directory: string, { hasNewLog = false } = {}): Promise<void> => {
  const { dataDir } = readConfig();
  if (!(await isEmpty(dataDir))) throw new Error(`${dataDir} is not empty; set DATA_DIR to a new directory`);
  const { head, warnings, notes } = await restoreInto(dataDir, resolve(directory), hasNewLog);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  for (const note of notes) console.log(note);
  const { number, hash } = head;
  console.log(`${dataDir} is restored up to block ${number} (${hash}); start it with: DATA_DIR=${dataDir} npm start`);
};

// npm run restore -- SOURCE: makes a data directory of a backup. What is restored is checked first: every file by its hash, the chain by
// being replayed, keys and blobs by what the chain says. Until then nothing is where a server would find it.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { BlockRef } from '../chain/port.ts';
import { copyFile, createPrivateDirectory, type FoundFile, findFiles, isEmpty } from '../host/backup/backupFiles.ts';
import { type BackupManifest, MANIFEST_NAME, readManifest } from '../host/backup/backupManifest.ts';
import { checkRestored } from '../host/backup/restoredLedger.ts';
import { createDataDirectory } from '../host/files/dataDirectory.ts';
import { dataPaths } from '../host/files/dataPaths.ts';
import type { LedgerChain } from '../host/openLedger.ts';
import { openIndexedChainForOperator } from '../host/operator/ledgerForOperator.ts';
import { createProgress } from '../host/operator/progress.ts';
import { readConfig } from '../host/settings/config.ts';

// The chain, or where it is, comes last: it is what makes a directory a ledger.
const PARTS = ['keys', 'blobs', 'outbox', 'index', 'recent-blocks', 'ledger.json', 'chain', 'network.json'] as const;

const assertSameFiles = (found: readonly FoundFile[], { files }: BackupManifest): void => {
  const names = new Set(found.map(({ path }) => path));
  const missing = Object.keys(files).filter((path) => !names.has(path));
  const foreign = [...names].filter((path) => !Object.hasOwn(files, path));
  if (missing.length > 0) throw new Error(`the backup lacks ${missing[0]} (${missing.length} files in all)`);
  if (foreign.length > 0) throw new Error(`the backup has ${foreign[0]}, which its manifest does not name`);
};

// A content is named by its own hash, so it need not be believed what the manifest says of it.
const assertSameContent = (path: string, sha256: string | undefined): void => {
  const [folder, ...names] = path.split('/');
  if (folder !== 'blobs' || names.slice(-2).join('') === sha256) return;
  throw new Error(`${path} of the backup has not the content that its name says`);
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

// A network may have gone on, and still has the block of the backup.
const readEnd = async ({ copyJournalTo, fetchFinalHead, fetchBlockHash }: LedgerChain, { head }: BackupManifest) =>
  copyJournalTo === undefined ? { number: head.number, hash: await fetchBlockHash(head.number) } : fetchFinalHead();

// Opening replays the chain, each block's hash compared with the one that the journal has, or finds the network; and makes the index.
const checkLedger = async (directory: string, manifest: BackupManifest): Promise<string[]> => {
  const { head } = manifest;
  await using opened = new AsyncDisposableStack();
  const ledger = opened.adopt(await openIndexedChainForOperator(directory), ({ close }) => close());
  const { number, hash } = await readEnd(ledger.chain, manifest);
  if (number !== head.number || hash !== head.hash)
    throw new Error(
      `the chain has block ${number} (${hash}) at its end, not that of the backup: ${head.number} (${head.hash})`,
    );
  return await checkRestored(ledger, dataPaths(directory).blobs);
};

const createRestoring = async (dataDir: string): Promise<string> => {
  const { restoring } = dataPaths(dataDir);
  await createDataDirectory(dataDir);
  // Not two at once.
  await mkdir(restoring, { mode: 0o700 });
  return restoring;
};

const restore = async (source: string, dataDir: string): Promise<{ head: BlockRef; warnings: string[] }> => {
  const manifest = await readManifest(source);
  const restoring = await createRestoring(dataDir);
  let warnings: string[];
  try {
    await copyBackup(source, restoring, manifest);
    await createPrivateDirectory(dataPaths(restoring).blobs);
    warnings = await checkLedger(restoring, manifest);
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
  const there = PARTS.filter((part) => existsSync(join(restoring, part)));
  for (const part of there) await rename(join(restoring, part), join(dataDir, part));
  await rm(restoring, { recursive: true });
  return { head: manifest.head, warnings };
};

const run = async (given: string): Promise<void> => {
  const { dataDir } = readConfig();
  if (!(await isEmpty(dataDir))) throw new Error(`${dataDir} is not empty`);
  const { head, warnings } = await restore(resolve(given), dataDir);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  const { number, hash } = head;
  console.log(`${dataDir} is restored up to block ${number} (${hash}); start it with: DATA_DIR=${dataDir} npm start`);
};

await new Command('restore')
  .description('Makes this data directory (DATA_DIR), which must be empty, of a backup, and checks it')
  .argument('<source>', 'directory that npm run backup made')
  .action(async (source: string) => {
    try {
      await run(source);
    } catch (error) {
      console.error(`not restored: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

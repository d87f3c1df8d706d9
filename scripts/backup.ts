// npm run backup -- TARGET: copies everything that can't be made anew into a new directory, with the server running or not.
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import type { BlockRef } from '../chain/port.ts';
import { COPIED_FOLDERS, copyStoppedDatabases } from '../host/backup/backupDatabases.ts';
import { closeToOthers, copyFile, findFiles, hashFile } from '../host/backup/backupFiles.ts';
import { writeManifest } from '../host/backup/backupManifest.ts';
import { takeBackupPlace } from '../host/backup/backupPlace.ts';
import { dataPaths } from '../host/files/dataPaths.ts';
import { hasLedger } from '../host/knownLedger.ts';
import { onStopSignal } from '../host/lifecycle/stopSignals.ts';
import { askServer } from '../host/operator/controlClient.ts';
import { createProgress } from '../host/operator/progress.ts';
import { readConfig } from '../host/settings/config.ts';

type Files = Record<string, string>;

const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
};

const assertUsable = (dataDir: string, target: string): void => {
  if (!hasLedger(dataDir)) throw new Error(`there is no ledger in ${dataDir}`);
  if (isWithin(dataDir, target)) throw new Error(`${target} is in the data directory itself`);
};

// What the databases were copied to. LevelDB makes files as the umask of whoever copies them says.
const hashDatabases = async (target: string): Promise<Files> => {
  const files: Files = {};
  for (const folder of ['chain', 'outbox'].filter((name) => existsSync(join(target, name)))) {
    await closeToOthers(join(target, folder));
    for (const { path } of await findFiles(target, folder)) files[path] = await hashFile(join(target, path));
  }
  const { network } = dataPaths(target);
  if (existsSync(network)) files[relative(target, network)] = await hashFile(network);
  return files;
};

// Half a key is none, and becomes none: it is made under another name.
const isWhole = ({ path }: { path: string }): boolean => !path.endsWith('.tmp');

const copyFolders = async (dataDir: string, target: string, stopping: AbortSignal): Promise<Files> => {
  const onStep = createProgress();
  const found = (await Promise.all(COPIED_FOLDERS.map((folder) => findFiles(dataDir, folder)))).flat().filter(isWhole);
  const files: Files = {};
  for (const [at, { path }] of found.entries()) {
    stopping.throwIfAborted();
    const sha256 = await copyFile(join(dataDir, path), join(target, path));
    if (sha256 !== undefined) files[path] = sha256;
    onStep({ title: 'copying keys and blobs', unit: 'files', done: at + 1, total: found.length });
  }
  return files;
};

// Files after chain: whatever the chain names is there by then.
const makeBackup = async (
  dataDir: string,
  target: string,
  stopping: AbortSignal,
): Promise<{ head: BlockRef; count: number }> => {
  const head =
    (await askServer<BlockRef>(dataDir, 'backUp', { directory: target })) ??
    (await copyStoppedDatabases(dataDir, target));
  const files = { ...(await hashDatabases(target)), ...(await copyFolders(dataDir, target, stopping)) };
  stopping.throwIfAborted();
  await writeManifest(target, { created: new Date().toISOString(), head, files });
  return { head, count: Object.keys(files).length };
};

const run = async (given: string): Promise<void> => {
  const { dataDir } = readConfig();
  const target = resolve(given);
  assertUsable(dataDir, target);
  const stopping = new AbortController();
  onStopSignal((signal) => stopping.abort(new Error(`${signal} came; what was copied is removed`)));
  const remove = await takeBackupPlace(target);
  try {
    const { head, count } = await makeBackup(dataDir, target, stopping.signal);
    console.log(`${count} files up to block ${head.number} (${head.hash}) in ${target}`);
    console.log('It holds the private keys: keep it as you keep them.');
  } catch (error) {
    await remove();
    throw error;
  }
};

await new Command('backup')
  .description(
    'Copies chain, outbox, blobs and keys of this data directory (DATA_DIR) into a new directory. The server may run or not.',
  )
  .argument('<target>', 'directory that is empty or not there')
  .action(async (target: string) => {
    try {
      await run(target);
    } catch (error) {
      console.error(`no backup: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  })
  .parseAsync();

// npm run backup -- TARGET: copies everything that can't be made anew into a new directory, with the server running or not.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import type { BlockRef } from '../chain/port.ts';
import { COPIED_FOLDERS, copyStoppedDatabases } from './backupDatabases.ts';
import { copyFile, createPrivateDirectory, findFiles, hashFile, isEmpty } from './backupFiles.ts';
import { writeManifest } from './backupManifest.ts';
import { dataPaths, readConfig } from './config.ts';
import { askServer } from './controlClient.ts';
import { createProgress } from './progress.ts';

type Files = Record<string, string>;

const assertUsable = async (dataDir: string, target: string): Promise<void> => {
  if (!existsSync(dataPaths(dataDir).chain)) throw new Error(`there is no ledger in ${dataDir}`);
  if (!relative(dataDir, target).startsWith('..')) throw new Error(`${target} is in the data directory itself`);
  if (!(await isEmpty(target))) throw new Error(`${target} is not empty`);
};

// What the databases were copied to; LevelDB's own lock file holds nothing.
const hashDatabases = async (target: string): Promise<Files> => {
  const files: Files = {};
  for (const folder of ['chain', 'outbox']) {
    for (const { path } of await findFiles(target, folder)) files[path] = await hashFile(join(target, path));
  }
  return files;
};

// Half a key is none, and becomes none: it is made under another name.
const isWhole = ({ path }: { path: string }): boolean => !path.endsWith('.tmp');

const copyFolders = async (dataDir: string, target: string): Promise<Files> => {
  const onStep = createProgress();
  const found = (await Promise.all(COPIED_FOLDERS.map((folder) => findFiles(dataDir, folder)))).flat().filter(isWhole);
  const files: Files = {};
  for (const [at, { path }] of found.entries()) {
    const sha256 = await copyFile(join(dataDir, path), join(target, path));
    if (sha256 !== undefined) files[path] = sha256;
    onStep({ title: 'copying keys and blobs', unit: 'files', done: at + 1, total: found.length });
  }
  return files;
};

// Files after chain: whatever the chain names is there by then.
const makeBackup = async (dataDir: string, target: string): Promise<{ head: BlockRef; count: number }> => {
  await createPrivateDirectory(target);
  const head =
    (await askServer<BlockRef>(dataDir, 'backUp', { directory: target })) ??
    (await copyStoppedDatabases(dataDir, target));
  const files = { ...(await hashDatabases(target)), ...(await copyFolders(dataDir, target)) };
  await writeManifest(target, { created: new Date().toISOString(), head, files });
  return { head, count: Object.keys(files).length };
};

const run = async (given: string): Promise<void> => {
  const { dataDir } = readConfig();
  const target = resolve(given);
  await assertUsable(dataDir, target);
  try {
    const { head, count } = await makeBackup(dataDir, target);
    console.log(`${count} files up to block ${head.number} (${head.hash}) in ${target}`);
    console.log('It holds the private keys: keep it as you keep them.');
  } catch (error) {
    await rm(target, { recursive: true, force: true });
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

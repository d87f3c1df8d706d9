// Creates a backup of a data directory: copies everything that can't be rebuilt, with the server running or not.
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { BlockRef } from '../../chain/port.ts';
import { console } from '../commandProcess.ts';
import { toCopiedPaths } from '../files/dataParts.ts';
import { openUsableDirectory } from '../files/writableCopy.ts';
import { hasLedger } from '../knownLedger.ts';
import type { OnStep } from '../ledgerOptions.ts';
import { onStopSignal } from '../lifecycle/stopSignals.ts';
import { sendCommand } from '../operator/controlClient.ts';
import { createProgress } from '../operator/progress.ts';
import { readConfig } from '../settings/config.ts';
import { copyStoppedDatabases } from './backupDatabases.ts';
import { claimBackupDirectory } from './backupDirectory.ts';
import { closeToOthers, copyFile, findFiles, hashFile, syncTree } from './backupFiles.ts';
import { writeManifest } from './backupManifest.ts';

/** SHA-256 of files by their paths. */
type Files = Record<string, string>;

interface Task {
  readonly dataDir: string;
  readonly target: string;
  readonly stopping: AbortSignal;
  readonly onStep: OnStep;
}

const isInDirectory = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
};

const assertUsable = (dataDir: string, target: string): void => {
  if (!hasLedger(dataDir)) throw new Error(`there is no ledger in ${dataDir}; set DATA_DIR to the directory of one`);
  if (isInDirectory(dataDir, target))
    throw new Error(`${target} is in the data directory itself; choose another directory`);
};

const copyStopped = async ({ dataDir, target }: Task): Promise<BlockRef> => {
  const usable = await openUsableDirectory(dataDir);
  return copyStoppedDatabases(usable.path, target).finally(usable.remove);
};

// The running server copies its databases, since no other process can open them.
const requestCopies = async (task: Task): Promise<BlockRef> => {
  const { dataDir, target, onStep } = task;
  const step = { title: 'copying chain, outbox and log', unit: 'copies', total: 1 };
  onStep({ ...step, done: 0 });
  const head = (await sendCommand<BlockRef>(dataDir, 'backUp', { directory: target })) ?? (await copyStopped(task));
  onStep({ ...step, done: 1 });
  return head;
};

// LevelDB creates files with the umask of the process that copies them.
const closeDatabases = async (target: string, names: readonly string[]): Promise<void> => {
  for (const name of names) if ((await stat(join(target, name))).isDirectory()) await closeToOthers(join(target, name));
};

const hashDatabases = async ({ target, onStep }: Task): Promise<Files> => {
  const names = toCopiedPaths('database').filter((name) => existsSync(join(target, name)));
  await closeDatabases(target, names);
  const found = (await Promise.all(names.map((name) => findFiles(target, name)))).flat();
  const files: Files = {};
  for (const [at, { path }] of found.entries()) {
    files[path] = await hashFile(join(target, path));
    onStep({ title: 'hashing chain, outbox and log', unit: 'files', done: at + 1, total: found.length });
  }
  return files;
};

// A file that is being written has another name until it is complete.
const isComplete = ({ path }: { path: string }): boolean => !path.endsWith('.tmp');

// They can be copied while a server runs: they never change after their creation, or are replaced by a rename.
const copyFiles = async ({ dataDir, target, stopping, onStep }: Task): Promise<Files> => {
  const places = toCopiedPaths('folder', 'file');
  const all = (await Promise.all(places.map((place) => findFiles(dataDir, place)))).flat();
  const found = all.filter(isComplete);
  const files: Files = {};
  for (const [at, { path }] of found.entries()) {
    stopping.throwIfAborted();
    const sha256 = await copyFile(join(dataDir, path), join(target, path));
    if (sha256 !== undefined) files[path] = sha256;
    onStep({ title: 'copying keys and blobs', unit: 'files', done: at + 1, total: found.length });
  }
  return files;
};

// The files after the chain: every file that the chain names exists by then.
const copyAll = async (task: Task): Promise<{ head: BlockRef; count: number }> => {
  const head = await requestCopies(task);
  const files = { ...(await hashDatabases(task)), ...(await copyFiles(task)) };
  task.stopping.throwIfAborted();
  await syncTree(task.target);
  await writeManifest(task.target, { created: new Date().toISOString(), head, files });
  return { head, count: Object.keys(files).length };
};

const copyClaimed = async (task: Task): Promise<void> => {
  const { target } = task;
  const remove = await claimBackupDirectory(target);
  try {
    const { head, count } = await copyAll(task);
    console.log(`${count} files up to block ${head.number} (${head.hash}) in ${target}`);
    console.log('It contains the private keys: protect it like them.');
  } catch (error) {
    await remove();
    throw error;
  }
};

/**
 * Copies chain, outbox, block log, blobs and keys of the data directory (DATA_DIR) into a directory that is empty or
 * doesn't exist, and prints the newest block of the copy. SIGINT and SIGTERM end it; then, as after every error, the
 * copy is removed.
 * @throws Error when the directory has no ledger, when the target can't be used, or when a start would be refused.
 */
export const createBackup = async (directory: string): Promise<void> => {
  const { dataDir } = readConfig();
  const target = resolve(directory);
  assertUsable(dataDir, target);
  const stopping = new AbortController();
  const release = onStopSignal((signal) =>
    stopping.abort(new Error(`${signal} received; the partial copy is removed`)),
  );
  try {
    await copyClaimed({ dataDir, target, stopping: stopping.signal, onStep: createProgress() });
  } finally {
    // The echo of the signal may still follow.
    if (!stopping.signal.aborted) release();
  }
};

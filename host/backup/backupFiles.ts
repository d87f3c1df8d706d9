// Finds, hashes and copies the files of a backup: only directories and regular files, private to their owner.
import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** A file with its path relative to a directory. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

const findPlace = async (path: string): Promise<Stats | undefined> => {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const findSize = async (path: string): Promise<number | undefined> => (await findPlace(path))?.size;

/**
 * All files of a folder below a directory, sorted, or the one file that has its name; none if there is neither. Files
 * that are removed meanwhile are left out.
 * @throws Error that names an entry that is neither a file nor a directory.
 */
export const findFiles = async (directory: string, folder: string): Promise<FoundFile[]> => {
  const place = await findPlace(join(directory, folder));
  if (place === undefined) return [];
  if (place.isFile()) return [{ path: folder, bytes: place.size }];
  const found: FoundFile[] = [];
  for (const entry of await readdir(join(directory, folder), { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    if (!entry.isFile()) throw new Error(`${path} is neither a file nor a directory`);
    const bytes = await findSize(path);
    if (bytes !== undefined) found.push({ path: relative(directory, path), bytes });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
};

/** SHA-256 of a file, in lower-case hexadecimal. */
export const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
};

/** Creates a directory that only its owner can enter. */
export const createPrivateDirectory = (path: string) => mkdir(path, { recursive: true, mode: PRIVATE_DIRECTORY });

/** Makes a directory and everything in it private to its owner. */
export const closeToOthers = async (directory: string): Promise<void> => {
  await chmod(directory, PRIVATE_DIRECTORY);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? PRIVATE_DIRECTORY : PRIVATE_FILE);
  }
};

/**
 * Copies a file to a path that doesn't exist, synced. Resolves with its SHA-256; undefined when the file doesn't exist
 * any more.
 */
export const copyFile = async (from: string, to: string): Promise<string | undefined> => {
  if ((await findSize(from)) === undefined) return undefined;
  await createPrivateDirectory(dirname(to));
  const file = await open(to, 'wx', PRIVATE_FILE);
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(from)) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
};

/** Copies all files of these folders to another directory; calls `onFile` after each. */
export const copyFolders = async (
  source: string,
  target: string,
  folders: readonly string[],
  onFile?: (done: number, total: number) => void,
): Promise<void> => {
  const files = (await Promise.all(folders.map((folder) => findFiles(source, folder)))).flat();
  for (const [at, { path }] of files.entries()) {
    await copyFile(join(source, path), join(target, path));
    onFile?.(at + 1, files.length);
  }
};

/** Syncs a directory and all directories below it, so that the names of new files survive a power failure. */
export const syncTree = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await syncDirectory(join(entry.parentPath, entry.name));
  }
  await syncDirectory(directory);
};

/** Whether a path doesn't exist or is an empty directory. A file is not empty. */
export const isEmpty = async (path: string): Promise<boolean> => {
  try {
    return (await readdir(path)).length === 0;
  } catch (error) {
    if (isMissing(error)) return true;
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
};

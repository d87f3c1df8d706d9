// The manifest of a backup: its newest block, and the hash of each of its files. It is written last, so a directory
// without it is no backup.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import type { BlockRef } from '../../chain/port.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { toCopiedPaths } from '../files/dataParts.ts';

export interface BackupManifest {
  readonly format: 1;
  /** RFC 3339. */
  readonly created: string;
  /** Newest block of the chain. */
  readonly head: BlockRef;
  /** SHA-256 of every file by its path, with `/` between its parts. */
  readonly files: Readonly<Record<string, string>>;
}

export const MANIFEST_NAME = 'manifest.json';
/** The mark of the process that creates the backup, until it becomes the manifest. */
export const UNFINISHED_NAME = 'manifest.json.unfinished';
const FORMAT = 1;

// Derived files are not copied, and not accepted from a backup either.
const COPIED = toCopiedPaths('database', 'folder', 'file');

const isPlace = (path: string): boolean =>
  COPIED.some((place) => (place.endsWith('.json') ? path === place : path.startsWith(`${place}/`)));

/** Files of a backup; `CURRENT` is the file without which a directory is no LevelDB database. */
const NEEDED = ['keys/relayer.key', 'outbox/CURRENT'] as const;
/** A ledger on a network may be another installation's; then its administrator's key isn't here. */
const NEEDED_EMBEDDED = 'keys/ledger-administrator.key';
/** The chain itself, or the file of its network: one of them. */
const CHAINS = ['chain/CURRENT', 'network.json'] as const;

const assertComplete = ({ files }: Pick<BackupManifest, 'files'>): void => {
  const foreign = Object.keys(files).find((path) => !isPlace(path));
  if (foreign !== undefined) throw new Error(`${foreign} is not part of a backup`);
  const needed = Object.hasOwn(files, 'network.json') ? NEEDED : [NEEDED_EMBEDDED, ...NEEDED];
  const missing = needed.find((path) => !Object.hasOwn(files, path));
  if (missing !== undefined) throw new Error(`the backup lacks ${missing}`);
  const chains = CHAINS.filter((path) => Object.hasOwn(files, path));
  if (chains.length === 0) throw new Error(`the backup lacks ${CHAINS.join(' or ')}`);
  if (chains.length > 1) throw new Error(`the backup has ${CHAINS.join(' and ')}: it must be of one chain`);
};

/**
 * Turns the mark of an unfinished backup into its manifest, atomically.
 * @throws Error when the backup lacks a file, or when its mark was removed meanwhile.
 */
export const writeManifest = async (directory: string, content: Omit<BackupManifest, 'format'>): Promise<void> => {
  assertComplete(content);
  const mark = join(directory, UNFINISHED_NAME);
  await writeFile(mark, `${JSON.stringify({ format: FORMAT, ...content }, null, 1)}\n`, { flag: 'r+', flush: true });
  await rename(mark, join(directory, MANIFEST_NAME));
  await syncDirectory(directory);
};

const isFiles = (value: unknown): value is BackupManifest['files'] =>
  isJsonObject(value) && Object.values(value).every((sha256) => typeof sha256 === 'string');

const isManifest = (value: unknown): value is BackupManifest => {
  const { format, head, files } = (value ?? {}) as Partial<BackupManifest>;
  return format === FORMAT && typeof head?.number === 'number' && typeof head.hash === 'string' && isFiles(files);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads the manifest.
 * @throws Error when the directory is no backup, has another format, lacks a file, or has one that no backup has.
 */
export const readBackupManifest = async (directory: string): Promise<BackupManifest> => {
  const path = join(directory, MANIFEST_NAME);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${directory} is no backup: it has no ${MANIFEST_NAME} that can be read`, { cause });
  });
  const manifest = parseJson(text);
  if (!isManifest(manifest)) throw new Error(`${path} has a format that this version doesn't support`);
  assertComplete(manifest);
  return manifest;
};
